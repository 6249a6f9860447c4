import type { Logger } from '@agent/text';
import { initialState, type PrePlanningState, readPrePlanningState } from './pre-planning-state.ts';

/** Holds the state of a phase, and keeps each change before anything rests on it. */
export interface StateKeeper {
  readonly state: () => PrePlanningState;
  /**
   * Changes it at once; resolves when it is kept. Changes that come while an earlier state is being kept are kept
   * together: a state holds all that was collected, and to write it once for each item would cost the square of them.
   */
  readonly update: (change: (state: PrePlanningState) => Partial<PrePlanningState>) => Promise<void>;
  /** Takes up what an earlier process kept; what can't be read begins anew, with a warning. */
  readonly restore: (written: unknown) => void;
}

export function createStateKeeper(
  saveState: (state: PrePlanningState) => Promise<void>,
  logger: Logger | null,
): StateKeeper {
  let state = initialState;
  let last: Promise<void> = Promise.resolve();
  let waiting: Promise<void> | null = null;
  const save = (): Promise<void> => {
    waiting = null;
    return saveState(state);
  };
  return {
    state: () => state,
    update: (change) => {
      state = { ...state, ...change(state) };
      if (waiting === null) {
        waiting = last.then(save);
        last = waiting.catch(() => undefined);
      }
      return waiting;
    },
    restore: (written) => {
      if (written === null || written === undefined) return;
      state = readPrePlanningState(written, logger) ?? state;
    },
  };
}
