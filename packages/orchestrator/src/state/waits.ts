import type { TaskState } from '@agent/run-store';
import type { WaitsFor } from '@agent/runner';
import { z } from 'zod';

const waitSchema = z.object({
  waits_for: z.object({
    kind: z.enum(['answer', 'approval', 'follow-up', 'held']),
    id: z.string(),
    until: z.string().nullable(),
  }),
});

/** Reads what a paused run waits for, of the state that it was paused with; null for one that goes on as soon as it may. */
export function readWait({ planningState }: Pick<TaskState, 'planningState'>): WaitsFor | null {
  const read = waitSchema.safeParse(planningState);
  return read.success ? read.data.waits_for : null;
}

const pauserSchema = z.object({ paused_by: z.string() });

/** Reads the user who paused a run; null if it is unknown. */
export function readPausedBy({ planningState }: Pick<TaskState, 'planningState'>): string | null {
  return pauserSchema.safeParse(planningState).data?.paused_by ?? null;
}

const planSchema = z.object({ current_phase: z.string() });

/** Tells whether a run had a plan when it was paused. */
export function hasPlan({ planningState }: Pick<TaskState, 'planningState'>): boolean {
  return planSchema.safeParse(planningState).success;
}

/** Tells whether the time is up up to which somebody is waited for. `now`: milliseconds since 1970. */
export function isOver({ until }: Pick<WaitsFor, 'until'>, now: number): boolean {
  return until !== null && now >= Date.parse(until);
}

/** Counts the changes that a person has to allow, by the id of the wait: `held:1,3`. 0 for another wait. */
export function countHeld(wait: Pick<WaitsFor, 'kind' | 'id'> | null): number {
  return listHeld(wait).length;
}

/** Names the changes that a person has to allow, as `/allow` takes them: `H1`, `H3` of `held:1,3`. */
export function listHeld(wait: Pick<WaitsFor, 'kind' | 'id'> | null): readonly string[] {
  if (wait?.kind !== 'held') return [];
  return wait.id
    .replace(/^held:/, '')
    .split(',')
    .map((number) => `H${number}`);
}
