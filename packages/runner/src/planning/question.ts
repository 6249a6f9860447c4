import type { PlanningFact } from './model.ts';
import type { PlannedRun } from './planned-run.ts';

/** Tells whether people can be asked once more. */
export function canAsk({ people, settings, log }: PlannedRun): boolean {
  const { enabled, goal_understanding: goal } = settings.replanning;
  return people !== null && enabled && countQuestions(log) < goal.max_clarification_requests;
}

/** Question to people, and until when its answer is waited for. */
export function toQuestion(
  { run, settings, log }: PlannedRun,
  {
    questions,
    assumptions,
  }: { readonly questions: readonly string[]; readonly assumptions: readonly string[] },
): PlanningFact {
  const { auto_assume_on_no_response: assumes, auto_assume_timeout_minutes: minutes } =
    settings.replanning.goal_understanding;
  const now = run.settings.now();
  return {
    type: 'question',
    id: `question-${countQuestions(log) + 1}`,
    questions,
    assumptions,
    asked_at: new Date(now).toISOString(),
    until: assumes ? new Date(now + minutes * 60_000).toISOString() : null,
  };
}

function countQuestions({ state }: PlannedRun['log']): number {
  return state.facts.filter(({ type }) => type === 'question').length;
}
