import type { Locale } from '@agent/text';
import { toGap } from '../assumption/assumption.ts';
import type { Rejection } from '../assumption/parse-rejections.ts';
import { phaseTexts } from '../texts.ts';
import type { PrePlanningState } from './pre-planning-state.ts';

/** Effect of rejections on a state. */
export interface RejectedAssumptions {
  readonly change: Pick<
    PrePlanningState,
    'assumptions' | 'information_gaps' | 'constraints' | 'collection_results'
  >;
  /** Constraints that the agent is told from now on. */
  readonly constraints: readonly string[];
  /** Labels that no assumption has. */
  readonly unknown: readonly string[];
}

/** An assumption that a person rejects becomes a gap and a constraint; labels of the others stay as they are. */
export function rejectAssumptions(
  state: PrePlanningState,
  { rejections, locale }: { readonly rejections: readonly Rejection[]; readonly locale: Locale },
): RejectedAssumptions {
  const texts = phaseTexts[locale].assumption;
  const reasons = new Map(rejections.map(({ label, reason }) => [label, reason]));
  const rejected = state.assumptions.filter(({ label }) => reasons.has(label));
  const ids = new Set(rejected.map(({ info_id: id }) => id));
  const needs = new Map(state.collection_plan?.required_information.map((need) => [need.id, need]));
  const constraints = rejected.map(({ label, info_id: id, assumed_value: value }) =>
    texts.rejectedConstraint(value, needs.get(id)?.description ?? id, reasons.get(label) ?? ''),
  );
  const gaps = rejected.flatMap(({ label, info_id: id }) => {
    const need = needs.get(id);
    return need === undefined ? [] : [toGap(need, texts.rejected(reasons.get(label) ?? ''))];
  });
  return {
    change: {
      assumptions: state.assumptions.filter(({ label }) => !reasons.has(label)),
      information_gaps: [...state.information_gaps, ...gaps],
      constraints: [...state.constraints, ...constraints],
      collection_results: state.collection_results.map((result) =>
        ids.has(result.info_id) ? { ...result, status: 'failed' as const, assumption_made: null } : result,
      ),
    },
    constraints,
    unknown: [...reasons.keys()].filter((label) => rejected.every((one) => one.label !== label)),
  };
}
