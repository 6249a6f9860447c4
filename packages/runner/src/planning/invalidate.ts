import type { Plan } from './model.ts';

/** Names that no longer hold, and what is done already. */
export interface InvalidationOptions {
  /** Ids of rejected assumptions, and of comments that were withdrawn. */
  readonly rejected: ReadonlySet<string>;
  /** Ids of subtasks that are done. */
  readonly done: ReadonlySet<string>;
}

/** Subtasks that rest on what was rejected, in the order of the plan. */
export interface Invalidation {
  /** Subtasks that are not done, and may not be as they are. */
  readonly undone: readonly string[];
  /** Subtasks that are done, whose work may have to be changed. */
  readonly done: readonly string[];
}

/**
 * Finds the subtasks that rest on a rejected id, themselves or through a subtask that they depend on, done or not. Dependencies
 * in a circle do no harm.
 */
export function findInvalidated(plan: Plan, { rejected, done }: InvalidationOptions): Invalidation {
  const { subtasks } = plan.task_decomposition;
  const fallen = new Set(
    subtasks.filter(({ rests_on }) => rests_on.some((id) => rejected.has(id))).map(({ id }) => id),
  );
  for (let before = -1; before !== fallen.size; ) {
    before = fallen.size;
    for (const { id, dependencies } of subtasks)
      if (dependencies.some((one) => fallen.has(one))) fallen.add(id);
  }
  const ids = subtasks.map(({ id }) => id).filter((id) => fallen.has(id));
  return { undone: ids.filter((id) => !done.has(id)), done: ids.filter((id) => done.has(id)) };
}
