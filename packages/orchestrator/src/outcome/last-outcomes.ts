import type { Outcome } from '@agent/run-store';
import type { BoardEvent } from '../board/board-event.ts';

/** Exit code of a process that runs what is waiting and exits. */
const exitCodes: Readonly<Record<Outcome, 0 | 1>> = {
  completed: 0,
  answered: 0,
  nothing_to_change: 0,
  partial: 1,
  needs_input: 1,
  stopped: 1,
  failed: 1,
};

/** Last outcome of each run of this process, but of those that left their thread to another run. */
export class LastOutcomes {
  readonly #outcomes = new Map<string, Outcome>();

  readonly observe = (event: BoardEvent): void => {
    if (event.type !== 'run-end' || event.outcome === null || event.hasWithdrawn === true) return;
    this.#outcomes.set(event.uuid, event.outcome);
  };

  /** True if each run ended in an outcome whose exit code is 0. */
  get areGood(): boolean {
    return [...this.#outcomes.values()].every((outcome) => exitCodes[outcome] === 0);
  }
}
