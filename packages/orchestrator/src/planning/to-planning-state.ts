import { type PrePlanningState, readPrePlanningState } from '@agent/pre-planning';
import type { Json } from '@agent/run-store';
import type { RunOutcome } from '@agent/runner';
import { countProgress } from '@agent/runner/planning';
import { readSelectedEnvironment } from '../environment/prepare-commands.ts';
import { readRunPlan } from '../plan/plan-mode.ts';
import { readKeptPrePlanning } from '../plan/pre-planning-files.ts';
import { readChecklistId } from '../progress/checklist-comment.ts';
import type { Run } from '../run/run.ts';

/** A pause, as far as a plan concerns it. */
export interface PlanPause extends Pick<RunOutcome, 'waitsFor'> {
  /** User who paused the run; null if it is unknown, or if the run waits for something. */
  readonly pausedBy: string | null;
  readonly llmCalls: number;
}

/**
 * Composes `planning_state` of `task_state.json`: what a plan's record says at the pause, for people and for who listens to the run.
 * Nothing is resumed from it but `waits_for`. A run in loop mode has only `waits_for` or `paused_by`, or null if it has neither.
 *
 * @see spec PAUSE_RESUME
 */
export async function toPlanningStateJson(
  run: Pick<Run, 'state' | 'journal' | 'logger'>,
  { waitsFor, pausedBy, llmCalls }: PlanPause,
): Promise<Json> {
  const plan = await readRunPlan(run);
  const waits = waitsFor === undefined ? null : { ...waitsFor };
  if (plan === null) return waits ? { waits_for: waits } : pausedBy === null ? null : { paused_by: pausedBy };
  const { done, total } = countProgress(plan);
  const kept = await readKeptPrePlanning(run.state, run.logger);
  const environment = await readSelectedEnvironment(run.state);
  const pre = readPrePlanningState(kept?.state ?? null);
  return {
    enabled: true,
    current_phase: plan.phase,
    action_counter: done,
    total_actions: total,
    revision_counter: plan.revisions,
    replan_counts: { ...plan.replanCounts },
    llm_call_count: llmCalls,
    plan_hash: plan.planHash,
    checklist_comment_id: await readChecklistId(run.state),
    ...toPrePlanningJson(pre),
    selected_environment: environment?.selected ?? null,
    default_environment_prepared: environment?.prepared ?? false,
    waits_for: waits,
    ...(pausedBy === null ? {} : { paused_by: pausedBy }),
  };
}

/** Converts what pre-planning found out, once it is done, and how far it came. */
function toPrePlanningJson(state: PrePlanningState | null): { readonly [name: string]: Json } {
  if (state === null) return { pre_planning_result: null, pre_planning_state: null };
  const { current_subphase, understanding_result, collection_plan, collection_results } = state;
  const { assumptions, information_gaps, constraints } = state;
  const found = { request_understanding: understanding_result, assumptions, information_gaps, constraints };
  const progress = {
    current_subphase,
    ...{ understanding_result, collection_plan, collection_results, assumptions, information_gaps },
  };
  return toJson({
    pre_planning_result: current_subphase === 'complete' ? found : null,
    pre_planning_state: progress,
  });
}

/** Values that were parsed of JSON are JSON; what is not there is left out. */
function toJson(value: object): { readonly [name: string]: Json } {
  return JSON.parse(JSON.stringify(value));
}
