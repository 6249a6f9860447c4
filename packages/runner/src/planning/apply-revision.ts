import { isDeepStrictEqual } from 'node:util';
import type { ActionPlan, Plan, PlannedAction, PlanRevision, Subtask } from './model.ts';

export interface ApplyRevisionOptions {
  /** Ids of subtasks that are done. */
  readonly done: ReadonlySet<string>;
  /** Ids that no step of the new plan rests on any more. */
  readonly rejected: ReadonlySet<string>;
}

/** A new plan, not yet checked; or sentences that tell the model what to change. */
export type RevisedPlan =
  | { readonly kind: 'ok'; readonly plan: Plan }
  | { readonly kind: 'bad'; readonly reasons: readonly string[] };

/**
 * Puts the wanted steps in the place of those that are not done. What is done stays as it was done, first and in its order: a step
 * that is to be done anew needs an id of its own.
 *
 * @example
 * const revised = applyRevision(plan, { updated_action_plan, updated_subtasks: [] }, { done, rejected: new Set() });
 */
export function applyRevision(
  plan: Plan,
  wanted: Pick<PlanRevision, 'updated_action_plan' | 'updated_subtasks'>,
  { done, rejected }: ApplyRevisionOptions,
): RevisedPlan {
  const kept = inOrder(plan.action_plan).filter(({ task_id }) => done.has(task_id));
  const reasons = [
    ...listRedone(kept, wanted.updated_action_plan).map(toRedoneReason),
    ...listUnchanged(plan, { wanted: wanted.updated_action_plan, done, rejected }).map(toUnchangedReason),
  ];
  if (reasons.length > 0) return { kind: 'bad', reasons };
  const next = inOrder(wanted.updated_action_plan).filter(({ task_id }) => !done.has(task_id));
  const actions = [...kept, ...next];
  const described = [
    ...plan.task_decomposition.subtasks.filter(({ id }) => done.has(id)),
    ...wanted.updated_subtasks,
    ...plan.task_decomposition.subtasks,
  ];
  const ids = new Set(actions.map(({ task_id }) => task_id));
  const removed = new Set(plan.task_decomposition.subtasks.map(({ id }) => id).filter((id) => !ids.has(id)));
  const subtasks = actions.map((action) => {
    const subtask = described.find(({ id }) => id === action.task_id) ?? toSubtask(action);
    return {
      ...subtask,
      dependencies: subtask.dependencies.filter((id) => !removed.has(id)),
      rests_on: subtask.rests_on.filter((id) => !rejected.has(id)),
    };
  });
  return {
    kind: 'ok',
    plan: {
      ...plan,
      task_decomposition: { ...plan.task_decomposition, subtasks },
      action_plan: { execution_order: actions.map(({ task_id }) => task_id), actions },
    },
  };
}

const fixPrefix = 'verification_fix_';

/** Appends what a verification found to be missing, under ids that nothing in the plan has. */
export function appendActions(plan: Plan, additional: readonly PlannedAction[]): Plan {
  const { subtasks } = plan.task_decomposition;
  const { actions, execution_order } = plan.action_plan;
  const taken = new Set([...subtasks.map(({ id }) => id), ...actions.map(({ task_id }) => task_id)]);
  const numbers = [...taken].map((id) => Number(id.startsWith(fixPrefix) ? id.slice(fixPrefix.length) : 0));
  const first = Math.max(0, ...numbers.filter(Number.isSafeInteger)) + 1;
  const added = additional.map((action, index) => ({ ...action, task_id: `${fixPrefix}${first + index}` }));
  return {
    ...plan,
    task_decomposition: { ...plan.task_decomposition, subtasks: [...subtasks, ...added.map(toSubtask)] },
    action_plan: {
      execution_order: [...execution_order, ...added.map(({ task_id }) => task_id)],
      actions: [...actions, ...added],
    },
  };
}

/** The actions in the order of their execution; those that the order does not name come last. */
function inOrder({ execution_order, actions }: ActionPlan): readonly PlannedAction[] {
  const place = new Map(execution_order.map((id, index) => [id, index]));
  const toPlace = ({ task_id }: PlannedAction) => place.get(task_id) ?? execution_order.length;
  return [...actions].sort((a, b) => toPlace(a) - toPlace(b));
}

/** Steps that are done, and that the wanted plan has with other work. */
function listRedone(kept: readonly PlannedAction[], wanted: ActionPlan): readonly string[] {
  return kept
    .filter(({ task_id, tool, parameters }) => {
      const other = findAction(wanted, task_id);
      return other !== undefined && !isDeepStrictEqual([other.tool, other.parameters], [tool, parameters]);
    })
    .map(({ task_id }) => task_id);
}

/** Steps that rest on what was rejected, and that the wanted plan has as they were. */
function listUnchanged(
  { task_decomposition, action_plan }: Plan,
  { wanted, done, rejected }: ApplyRevisionOptions & { readonly wanted: ActionPlan },
): readonly string[] {
  return task_decomposition.subtasks
    .filter(({ id, rests_on }) => !done.has(id) && rests_on.some((one) => rejected.has(one)))
    .map(({ id }) => id)
    .filter((id) => {
      const again = findAction(wanted, id);
      return again !== undefined && isDeepStrictEqual(again, findAction(action_plan, id));
    });
}

function toRedoneReason(id: string): string {
  return `"${id}" is done and cannot be changed. Leave it as it is, and give work that has to be repeated its own id.`;
}

function toUnchangedReason(id: string): string {
  return `"${id}" depends on what was rejected and is the same as before. Change it, or leave it out.`;
}

function findAction({ actions }: ActionPlan, id: string): PlannedAction | undefined {
  return actions.find(({ task_id }) => task_id === id);
}

function toSubtask({ task_id, purpose, tool }: PlannedAction): Subtask {
  return {
    id: task_id,
    description: purpose,
    dependencies: [],
    estimated_complexity: 'medium',
    required_tools: [tool],
    rests_on: [],
  };
}
