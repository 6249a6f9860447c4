import type { Outcome } from '@agent/run-store';
import type { TaskState } from '../triggers/task-trigger.ts';

/** State that the issue or pull request shows for each outcome. */
export const shownStates: Readonly<Record<Outcome, TaskState>> = {
  completed: 'completed',
  answered: 'completed',
  nothing_to_change: 'completed',
  partial: 'partial',
  needs_input: 'paused',
  stopped: 'stopped',
  failed: 'failed',
};

const done: ReadonlySet<Outcome> = new Set(['completed', 'answered', 'nothing_to_change', 'partial']);

/** Tells whether everything that a run with this outcome did is on the platform. */
export function isDone(outcome: Outcome): boolean {
  return done.has(outcome);
}
