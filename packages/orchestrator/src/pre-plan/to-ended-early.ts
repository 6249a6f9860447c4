import type { InformationGap, PrePlanningState } from '@agent/pre-planning';
import type { Locale } from '@agent/text';

/** For people and the agent alike. */
const reasons: Readonly<Record<Locale, string>> = {
  ja: '準備に使える分を使い切りました',
  en: 'getting ready had used up its share of the limits of the run',
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
