import type { ObserveBoard } from './board-event.ts';
import { type BoardState, emptyBoard } from './board-state.ts';
import { reduceBoard } from './reduce-board.ts';

export interface TaskBoardOptions {
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
}

/** Remembers what the daemon does: the live view, `/metrics`, `/healthz` and `/tasks.json` look at it. */
export class TaskBoard {
  readonly #now: () => number;
  readonly #listeners = new Set<() => void>();
  #state: BoardState = emptyBoard;

  constructor(options: TaskBoardOptions = {}) {
    this.#now = options.now ?? Date.now;
  }

  get state(): BoardState {
    return this.#state;
  }

  readonly observe: ObserveBoard = (event) => {
    this.#state = reduceBoard(this.#state, event, this.#now());
    for (const listener of this.#listeners) listener();
  };

  /** Calls the listener after each change, until the function that it gives back is called. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
