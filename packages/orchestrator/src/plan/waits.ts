import type { PausedRun } from '@agent/run-store';
import { z } from 'zod';

/** What a paused run waits for: a word of somebody who may steer, or their approval of its plan. */
export interface Wait {
  readonly kind: 'answer' | 'approval';
  /** When it goes on all the same (ISO 8601); null for never. */
  readonly until: string | null;
}

const waitSchema = z.object({
  waits_for: z.object({ kind: z.enum(['answer', 'approval']), until: z.string().nullable() }),
});

/** Reads what a paused run waits for, of the state that it was paused with; null for one that goes on as soon as it may. */
export function readWait({ planningState }: Pick<PausedRun['state'], 'planningState'>): Wait | null {
  const read = waitSchema.safeParse(planningState);
  return read.success ? read.data.waits_for : null;
}

/** Tells whether the time is up up to which somebody is waited for. `now`: milliseconds since 1970. */
export function isOver({ until }: Wait, now: number): boolean {
  return until !== null && now >= Date.parse(until);
}
