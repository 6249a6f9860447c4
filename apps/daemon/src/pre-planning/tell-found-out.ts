import type { PrePlanningManager } from '@agent/pre-planning';
import type { RunEars } from '../comments/run-ears.ts';
import type { RunParts } from '../task/run-parts.ts';

/**
 * What the instructions of a run are told of what it found out; empty where nothing was understood. It may hold words
 * of anybody: it stands in an envelope, as information. @see seed 004 §7.2
 */
export async function tellFoundOut(
  { model, redact }: Pick<RunParts, 'model' | 'redact'>,
  { guard }: Pick<RunEars, 'guard'>,
  manager: PrePlanningManager,
): Promise<string> {
  if (manager.getState().understanding_result === null) return '';
  const { formatPlanningBlock } = await import('@agent/pre-planning');
  const budget = Math.min(24_000, Math.floor(model.description.contextLength / 4));
  const { pre_planning_result: result } = manager.getResult();
  const block = formatPlanningBlock(result, {
    maxChars: budget,
    wrap: (text, { what }) => `--- ${what} ---\n${text}\n--- end of ${what} ---`,
  });
  const fitted = block.length > 2 * budget ? `${block.slice(0, 2 * budget).toWellFormed()}…` : block;
  return guard.wrap(guard.clean(redact(fitted)), { author: null, authority: 'untrusted' });
}
