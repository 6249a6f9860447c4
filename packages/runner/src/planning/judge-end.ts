import type { CompletionAnswer } from './model.ts';
import { hasFailed, isFailedForGood } from './next-phase.ts';
import type { PlanningState } from './planning-state.ts';
import type { PlanningSettings } from './settings.ts';

/** End of a plan by its facts, whatever the model says of it. */
export interface PlanEnd {
  /** The task whose failure ends the plan; null where it came to its end. */
  readonly failed: { readonly task: string; readonly detail: string } | null;
  /** Something that was planned is not done, or did not pass verification. */
  readonly isPartial: boolean;
  readonly tasksCompleted: number;
  readonly tasksFailed: number;
}

/** Judges how far a plan came. */
export function judgeEnd(state: PlanningState, settings: PlanningSettings): PlanEnd {
  const tasks = [...state.tasks];
  const tasksCompleted = tasks.filter(([, { state: standing }]) => standing === 'succeeded').length;
  const failures = tasks.filter(([, { state: standing }]) => standing === 'failed');
  const isPassed = state.verifications.at(-1)?.verification_passed === true;
  const ending = hasFailed(state, settings)
    ? failures.find(([, task]) => isFailedForGood(task, settings))
    : undefined;
  return {
    failed: ending === undefined ? null : { task: ending[0], detail: ending[1].detail },
    isPartial: tasksCompleted < tasks.length || (settings.verification.enabled && !isPassed),
    tasksCompleted,
    tasksFailed: failures.length,
  };
}

/** Completion of a plan: the model's outcomes and lessons beside the counts of the facts. */
export function toCompletion(
  { failed, isPartial, tasksCompleted, tasksFailed }: PlanEnd,
  said: Pick<CompletionAnswer['summary'], 'key_outcomes' | 'lessons_learned'>,
): CompletionAnswer {
  const isAchieved = failed === null && !isPartial;
  return {
    phase: 'completion',
    done: failed === null,
    summary: {
      goal_achieved: isAchieved,
      tasks_completed: tasksCompleted,
      tasks_failed: tasksFailed,
      key_outcomes: said.key_outcomes,
      lessons_learned: said.lessons_learned,
    },
    comment: null,
  };
}
