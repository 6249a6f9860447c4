/** A value taken for granted because the real one could not be had. @see seed 004 §6.3.2 */
export interface Assumption {
  /** `A1`, `A2`, …: by which people name it, and reject it. It never changes. */
  readonly label: string;
  readonly info_id: string;
  readonly assumed_value: string;
  readonly reasoning: string;
  /** From 0 to 1. */
  readonly confidence: number;
  /** What would show that it is wrong. */
  readonly refuted_by: string;
}
