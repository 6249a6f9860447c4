import type { InformationGap, PrePlanningManager, PrePlanningState, WrapText } from '@agent/pre-planning';
import type { Locale } from '@agent/text';
import type { Redact } from '@agent/text/outgoing';
import type { TextGuard } from '../inbox/text-guard.ts';
import { mapTexts } from './redact-state.ts';

export interface PrePlanningResultOptions {
  readonly guard: Pick<TextGuard, 'wrap'>;
  /** Size of the model's window, in tokens. */
  readonly contextLength: number;
  readonly hideKnownSecrets: Redact;
}

/**
 * Formats what a run found out for its instructions; empty where nothing was understood. It may hold words
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

/** For people and the agent alike. */
const reasons: Readonly<Record<Locale, string>> = {
  ja: '準備に使える分を使い切りました',
  en: 'pre-planning had used up its share of the limits of the run',
};

/**
 * The state of a phase that ends here: what is neither collected nor assumed is a gap, and says why. For a phase that
 * is at its end nothing changes.
 */
export function toCutShort(state: PrePlanningState, locale: Locale): PrePlanningState {
  const { collection_plan: plan, collection_results: results, information_gaps: gaps } = state;
  const had = results.filter(({ status }) => status !== 'failed');
  const decided = new Set([...had, ...gaps].map(({ info_id: id }) => id));
  const open = (plan?.required_information ?? []).filter(({ id }) => !decided.has(id));
  const left = open.map(
    ({ id, description, purpose, fallback_strategy: fallback }): InformationGap => ({
      info_id: id,
      description: description || id,
      impact: purpose || fallback,
      reason: reasons[locale],
    }),
  );
  return { ...state, information_gaps: [...gaps, ...left], current_subphase: 'complete' };
}

/**
 * Puts a text into an envelope of the run, under its name. It is not cleaned here: what people wrote on threads is
 * clean where it is read, and code is no page.
 */
export function encloseText({ wrap }: Pick<TextGuard, 'wrap'>): WrapText {
  return (text, { what, author, isTrusted }) => {
    const enclosed = wrap(text, { author, authority: isTrusted ? 'trusted' : 'untrusted' });
    return `${what.replace(/\s+/g, ' ')}:\n${enclosed || '(nothing visible)'}`;
  };
}
