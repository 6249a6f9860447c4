import type { InformationNeed } from '../collection/information-needs.ts';

/** A value taken for granted because the real one could not be had. @see seed 004 §6.3.2 */
export interface Assumption {
  /** `A1`, `A2`, …: by which people name it, and reject it. It never changes. */
  readonly label: string;
  readonly info_id: string;
  readonly assumed_value: string;
  readonly reasoning: string;
  /** From 0 to 1. */
  readonly confidence: number;
  /** Finding that would show it to be wrong. */
  readonly refuted_by: string;
}

/** Something that stays unknown, and what that means for the plan. @see seed 004 §7.1 */
export interface InformationGap {
  readonly info_id: string;
  readonly description: string;
  readonly impact: string;
  /** Why nothing stands in for it. */
  readonly reason: string;
}

/** The impact is what it was needed for, else what was planned instead. @see decision E20 */
export function toGap(need: InformationNeed, reason: string): InformationGap {
  const { id, description, purpose, fallback_strategy: fallback } = need;
  return { info_id: id, description: description || id, impact: purpose || fallback, reason };
}
