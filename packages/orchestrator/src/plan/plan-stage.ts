import { countProgress, type PlanningPhaseName, type PlanningState } from '@agent/runner/planning';

/** How far a run in planning mode is. */
export interface PlanStage {
  readonly phase: PlanningPhaseName;
  /** Actions that succeeded, and how many there are; 0 of 0 before there is a plan. */
  readonly done: number;
  readonly total: number;
}

/** Null where the run goes on without a plan. */
export function toPlanStage(state: PlanningState): PlanStage | null {
  if (state.loopMode !== null) return null;
  const { done, total } = countProgress(state);
  return { phase: state.phase, done, total };
}
