import type { Logger } from '../ports.ts';
import { initialState, type PrePlanningState, prePlanningStateSchema } from './pre-planning-state.ts';

/** Holds the state of a phase, and keeps each change before anything rests on it. */
export interface StateKeeper {
  readonly state: () => PrePlanningState;
  /** Changes it at once; resolves when it is kept. Changes are kept one after the other, in their order. */
  readonly update: (change: (state: PrePlanningState) => Partial<PrePlanningState>) => Promise<void>;
  /** Takes up what an earlier process kept; what can't be read begins anew, with a warning. */
  readonly restore: (written: unknown) => void;
}

export function createStateKeeper(
  saveState: (state: PrePlanningState) => Promise<void>,
  logger: Logger | null,
): StateKeeper {
  let state = initialState;
  let saved: Promise<void> = Promise.resolve();
  return {
    state: () => state,
    update: (change) => {
      state = { ...state, ...change(state) };
      const next = state;
      const save = saved.then(() => saveState(next));
      saved = save.catch(() => undefined);
      return save;
    },
    restore: (written) => {
      if (written === null || written === undefined) return;
      const parsed = prePlanningStateSchema.safeParse(written);
      if (parsed.success) state = parsed.data;
      else
        logger?.warn(
          { issues: parsed.error.issues.length },
          'the kept state could not be read; the phase begins anew',
        );
    },
  };
}
