import { z } from 'zod';

/** Assumption of a run, and what became of it. */
export interface AssumptionView {
  /** `A1` */
  readonly id: string;
  readonly text: string;
  /** 0 to 1; null where none was given. */
  readonly confidence: number | null;
  readonly outcome: 'open' | 'confirmed' | 'rejected';
  readonly reason: string | null;
}

const stateSchema = z.object({
  state: z.object({
    assumptions: z.array(
      z.object({
        label: z.string(),
        info_id: z.string(),
        assumed_value: z.string(),
        reasoning: z.string(),
        confidence: z.number().nullable().catch(null),
      }),
    ),
    assumption_count: z.number(),
    information_gaps: z.array(z.object({ info_id: z.string(), reason: z.string() })).default([]),
  }),
});

/** Name of the state in which pre-planning keeps them. */
const stateName = 'pre_planning_state.json';

/** Remembers the assumptions that a record tells of, those that were taken back among them. */
export class Assumptions {
  readonly #made = new Map<string, AssumptionView & { readonly infoId: string }>();

  /** Reads a value of the run's state. */
  read({ name, value }: { readonly name?: unknown; readonly value?: unknown }): void {
    if (name !== stateName) return;
    const kept = stateSchema.safeParse(value).data?.state;
    if (kept === undefined) return;
    // Pre-planning that begins anew has made none.
    if (kept.assumption_count === 0) this.#made.clear();
    const reasons = new Map(kept.information_gaps.map(({ info_id, reason }) => [info_id, reason]));
    for (const one of this.#made.values())
      this.#made.set(one.id, { ...one, outcome: 'rejected', reason: reasons.get(one.infoId) ?? one.reason });
    for (const { label: id, info_id: infoId, assumed_value: text, reasoning, confidence } of kept.assumptions)
      this.#made.set(id, { id, infoId, text, confidence, outcome: 'open', reason: reasoning });
  }

  /** Lists them; one that stands is confirmed where the work was verified. */
  list({ isVerified }: { readonly isVerified: boolean }): readonly AssumptionView[] {
    return [...this.#made.values()].map(({ infoId: _, ...one }) =>
      one.outcome === 'open' && isVerified ? { ...one, outcome: 'confirmed' } : one,
    );
  }
}
