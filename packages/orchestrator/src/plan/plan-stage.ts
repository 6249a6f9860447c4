import type { JsonObject } from '@agent/run-store';
import { countProgress, type PlanningPhaseName, type PlanningState } from '@agent/runner/planning';

/** Progress of a run in planning mode. */
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

/** Converts a plan to the part that `outcome.json` keeps of it, in its snake_case. */
export function toPlanDetails(state: PlanningState): JsonObject {
  const { done, total } = countProgress(state);
  const last = state.verifications.at(-1);
  return {
    phase: state.phase,
    actions_done: done,
    actions_total: total,
    revisions: state.revisions,
    verification_rounds: state.verifications.length,
    verification_passed: last === undefined ? null : last.verification_passed,
    replans: state.replanCounts.total ?? 0,
    completion: state.completion === null ? null : { ...state.completion.summary },
  };
}
