import type { PrePlanningManager } from '@agent/pre-planning';
import type { Redact } from '@agent/text/outgoing';
import type { TextGuard } from '../inbox/create-text-guard.ts';
import { encloseText } from './enclose-text.ts';
import { mapTexts } from './map-texts.ts';

export interface PrePlanningResultOptions {
  readonly guard: Pick<TextGuard, 'wrap'>;
  /** Of the model's window, in tokens. */
  readonly contextLength: number;
  readonly hideKnownSecrets: Redact;
}

/**
 * What the instructions of a run are told of what it found out; empty where nothing was understood. It may hold words
 * of anybody: they stand in envelopes, as information. What tools gave is shown as it is, as in the run's own steps:
 * the rules by which a page hides what it does not show would take code away. @see seed 004 §7.2
 */
export async function formatPrePlanningResult(
  manager: Pick<PrePlanningManager, 'getState' | 'getResult'>,
  { guard, contextLength, hideKnownSecrets }: PrePlanningResultOptions,
): Promise<string> {
  const { understanding_result: understanding, collection_plan: needs } = manager.getState();
  if (understanding === null) return '';
  const { formatPlanningBlock } = await import('@agent/pre-planning');
  const { pre_planning_result: result } = manager.getResult();
  // Before anything is cut: half of a secret is none that could be known.
  return formatPlanningBlock(mapTexts(result, hideKnownSecrets), {
    maxChars: Math.max(2_000, Math.min(24_000, Math.floor(contextLength / 2))),
    wrap: encloseText(guard),
    needs: mapTexts(needs, hideKnownSecrets),
  });
}
