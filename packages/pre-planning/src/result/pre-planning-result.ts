import type { Assumption } from '../assumption/assumption.ts';
import type { InformationGap } from '../assumption/information-gap.ts';
import type { InformationCategory } from '../collection/information-needs.ts';
import type { RequestUnderstanding } from '../understanding/understanding.ts';

/** What the phase hands to planning: JSON in snake_case, as the seed writes it. @see seed 004 §7.1 */
export interface PrePlanningResult {
  readonly request_understanding: RequestUnderstanding;
  /** By category, then by the id of what was wanted. */
  readonly collected_information: Readonly<
    Partial<Record<InformationCategory, Readonly<Record<string, string>>>>
  >;
  readonly assumptions: readonly Assumption[];
  readonly information_gaps: readonly InformationGap[];
  readonly recommendations_for_planning: readonly string[];
}

/** The result in the frame in which it is handed over. @see seed 004 §7.1 */
export interface PrePlanningHandOver {
  readonly pre_planning_result: PrePlanningResult;
}
