import type { PlanningFact } from './model.ts';
import type { PlannedRun } from './planned-run.ts';
import type { PlanningState } from './planning-state.ts';
import { formatUnansweredNote } from './prompts/plan.ts';

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

/** Facts of the occasion at hand: those since an action ended. */
export function sinceAction({ facts }: PlanningState): readonly PlanningFact[] {
  return facts.slice(facts.findLastIndex(({ type }) => type === 'action') + 1);
}

/** Note on the last question of the occasion, where nobody answered it in time. */
export function toUnansweredNotes(state: PlanningState): readonly string[] {
  const facts = sinceAction(state);
  const answer = facts.findLast((fact) => fact.type === 'answered');
  const question = facts.findLast((fact) => fact.type === 'question');
  return answer?.how === 'assumed' && question !== undefined
    ? [formatUnansweredNote(question.questions)]
    : [];
}

function countQuestions({ state }: PlannedRun['log']): number {
  return state.facts.filter(({ type }) => type === 'question').length;
}
