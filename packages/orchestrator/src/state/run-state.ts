import type { Outcome, TaskState } from '@agent/run-store';
import { readWait } from './waits.ts';

/** States of a run, in the order in which views list them. */
export const runStates = [
  'running',
  'delivering',
  'queued',
  'needs_input',
  'paused',
  'in_review',
  'ended',
] as const;

/**
 * State of a run. `queued`: it waits for its turn. `delivering`: it has its outcome, and updates of its thread are pending.
 * `needs_input`: it waits for an answer, an approval, or permission for held changes. `in_review`: its changes are delivered, and it
 * waits for checks and reviews.
 */
export type RunState = (typeof runStates)[number];

/** State of a run whose entry waits in the queue. Entries also deliver what is pending of a run that has its outcome. */
export function toQueuedState(state: RunState, { kind }: { readonly kind: string }): RunState {
  return kind === 'ended' || state === 'delivering' ? state : 'queued';
}

/** Facts of the record that the state is derived from. */
export interface RunRecordFacts {
  readonly isEnded: boolean;
  /** Null if it is not paused. */
  readonly pause: TaskState | null;
  /** Null while it has none. */
  readonly outcome: Outcome | null;
}

/** Derives the state of a run. All views render this. */
export function deriveRunState({ isEnded, pause, outcome }: RunRecordFacts): RunState {
  if (isEnded) return 'ended';
  if (pause !== null) {
    const kind = readWait(pause)?.kind ?? null;
    if (kind === null) return 'paused';
    return kind === 'follow-up' ? 'in_review' : 'needs_input';
  }
  return outcome === null || outcome === 'needs_input' ? 'running' : 'delivering';
}
