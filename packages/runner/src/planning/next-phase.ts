import type { Plan, PlannedAction } from './model.ts';
import { inOrder, type PlanningState, type TaskProgress } from './planning-state.ts';
import type { PlanningSettings } from './settings.ts';

/** Work that a run in planning mode does next. */
export type PhaseName =
  | 'loop'
  | 'ask'
  | 'plan'
  | 'act'
  | 'reflect'
  | 'revise'
  | 'replan'
  | 'execute'
  | 'approve'
  | 'verify'
  | 'report';

/** Standing of a run beside its plan's. */
export interface PhaseCircumstances {
  readonly settings: PlanningSettings;
  /** Comments came that the plan was not considered with. */
  readonly isHeard: boolean;
}

/** Times in a row that a plan is considered anew without an action in between, however many comments come. */
const maxReconsiderations = 3;

/** Attempts at an action before it is decided what becomes of it: as planned, and with its fallback. */
const maxAttempts = 2;

/** Decides what comes next from the standing alone, so that going on after a pause or a crash is no case of its own. */
export function nextPhase(state: PlanningState, circumstances: PhaseCircumstances): PhaseName {
  if (state.loopMode !== null) return 'loop';
  if (state.question !== null) return 'ask';
  if (state.plan === null) return 'plan';
  if (findStarted(state) !== null) return 'act';
  return nextForPlan(state, circumstances) ?? nextForEnd(state, circumstances);
}

function nextForPlan(state: PlanningState, { settings, isHeard }: PhaseCircumstances): PhaseName | null {
  const { pendingRevision } = state;
  if (pendingRevision === 'rejection') return 'revise';
  const isAsking = pendingRevision === null && isReplanDue(state, settings);
  if (isHeard && mayReconsider(state, settings)) return isAsking ? 'replan' : 'reflect';
  if (pendingRevision !== null) return 'revise';
  if (isAsking) return 'replan';
  if (isErrorDue(state, settings)) return 'reflect';
  if (hasFailed(state, settings)) return null;
  if (state.phase === 'planning') return 'execute';
  if (needsApproval(state, settings)) return 'approve';
  if (isReflectionDue(state, settings)) return 'reflect';
  return findNextAction(state) === null ? null : 'act';
}

function nextForEnd(state: PlanningState, { settings }: PhaseCircumstances): PhaseName {
  const isDue = settings.verification.enabled && !state.isVerified;
  return isDue && !hasFailed(state, settings) ? 'verify' : 'report';
}

/** Tells whether a comment leads to another reflection, or stands in view of what comes next. */
export function mayReconsider(state: PlanningState, settings: PlanningSettings): boolean {
  return state.reflectionsSinceAction < maxReconsiderations || needsApproval(state, settings);
}

function isReplanDue({ tasks }: PlanningState, { replanning }: PlanningSettings): boolean {
  return replanning.enabled && [...tasks.values()].some(isUndecided);
}

/** Without replanning a reflection may save a plan whose action failed. */
export function isErrorDue(
  { tasks, reflectionsSinceAction }: PlanningState,
  { reflection, replanning }: PlanningSettings,
): boolean {
  if (replanning.enabled || !reflection.enabled || !reflection.trigger_on_error) return false;
  return reflectionsSinceAction === 0 && [...tasks.values()].some(isUndecided);
}

function isReflectionDue(state: PlanningState, { reflection }: PlanningSettings): boolean {
  const { enabled, trigger_interval: interval } = reflection;
  return enabled && interval > 0 && state.actionsSinceReflection >= interval;
}

/** Tells whether the plan may not be carried out before people approve of it as it is. */
function needsApproval(state: PlanningState, { approval }: PlanningSettings): boolean {
  if (approval === 'off') return false;
  return state.approval?.state !== 'given' || state.approval.planHash !== state.planHash;
}

/** Tells whether what becomes of an action that failed is yet to be decided. */
function isUndecided({ state, attempts, isSettled }: TaskProgress): boolean {
  return state === 'failed' && attempts >= maxAttempts && !isSettled;
}

/** Tells whether an action failed for good: without replanning its last attempt decides. */
export function isFailedForGood(task: TaskProgress, { replanning }: PlanningSettings): boolean {
  return task.state === 'failed' && (task.isSettled || (!replanning.enabled && isUndecided(task)));
}

/** Tells whether the plan ends with an action that failed for good. */
export function hasFailed({ tasks }: PlanningState, settings: PlanningSettings): boolean {
  return !settings.continue_on_error && [...tasks.values()].some((task) => isFailedForGood(task, settings));
}

/** The action under way; null between two. */
export function findStarted(state: PlanningState): PlannedAction | null {
  return listActions(state).find(({ task_id }) => state.tasks.get(task_id)?.state === 'started') ?? null;
}

/** The first action that can begin: it has not succeeded or fallen, and what it depends on has succeeded. */
export function findNextAction(state: PlanningState): PlannedAction | null {
  const isDone = (id: string) => state.tasks.get(id)?.state === 'succeeded';
  const isOpen = ({ task_id }: PlannedAction) => {
    const task = state.tasks.get(task_id);
    if (task === undefined || task.isSettled) return false;
    return task.state === 'waiting' || (task.state === 'failed' && task.attempts < maxAttempts);
  };
  return (
    listActions(state).find(
      (action) => isOpen(action) && listDependencies(state.plan, action).every(isDone),
    ) ?? null
  );
}

function listDependencies(plan: Plan | null, { task_id }: PlannedAction): readonly string[] {
  return plan?.task_decomposition.subtasks.find(({ id }) => id === task_id)?.dependencies ?? [];
}

function listActions({ plan }: PlanningState): readonly PlannedAction[] {
  return plan === null ? [] : inOrder(plan);
}
