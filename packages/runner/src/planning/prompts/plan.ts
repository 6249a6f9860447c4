import {
  actionForm,
  formatForm,
  formatLanguage,
  formatNotes,
  joinParagraphs,
  type RequestParts,
  subtaskForm,
} from './parts.ts';

interface PlanRequest extends RequestParts {
  readonly maxSubtasks: number;
  /** Tells whether the goal may still be called unclear. Default true. */
  readonly mayAsk?: boolean;
}

/** Asks for goal, subtasks and actions in one answer, for a first plan or one from the beginning. @see seed 002 §13.4 */
export function formatPlanRequest({ maxSubtasks, mayAsk = true, ...parts }: PlanRequest): string {
  return joinParagraphs([
    'Plan the work on the request above. First read what you need to know, with tools that only read; then answer.',
    parts.history ?? '',
    formatNotes(parts.notes),
    `1. Goal: what is to be reached, by which criteria it can be told that it is, and within which limits.
2. Subtasks: 1 to 3 for simple work, 3 to 6 for medium, 6 to 10 for complex, never more than ${maxSubtasks}. Work that is a single action has one subtask. dependencies: ids of the subtasks that must come before. rests_on: ids of the assumptions (A1, A2 …) and of the comments without which it would not be done so.
3. Actions: exactly one for each subtask, with its id as task_id and the tool that it calls first. expected_outcome: what can be seen when it has succeeded. fallback_strategy: another way for when it fails. Keep contents of files out of parameters. execution_order holds every task_id, dependencies first.
4. Where information is missing or assumed with little confidence, plan a subtask that finds it out, or another way that does not need it.
5. Where earlier runs are shown: prefer what succeeded, avoid what failed or find another tool for it, keep the dependencies that came to light, and adjust the complexity to what it really took.`,
    formatLanguage(parts.language),
    formatForm(planForm),
    mayAsk ? unclearForm : 'Do not ask back: decide what is open, and say in "context" what you assumed.',
  ]);
}

const planForm = `{
  "phase": "planning",
  "goal_understanding": { "main_objective": "…", "success_criteria": ["…"], "constraints": ["…"], "context": "…" },
  "task_decomposition": {
    "reasoning": "…",
    "subtasks": [${subtaskForm}]
  },
  "action_plan": {
    "execution_order": ["task_1"],
    "actions": [${actionForm}]
  },
  "comment": "…"
}`;

const unclearForm = `Only if the goal itself is unclear, and nothing that you can read would settle it, answer instead with:
{ "phase": "planning", "error": { "type": "unclear_goal", "message": "…", "clarification_needed": ["…"] }, "comment": "…" }`;

/** Asks for a plan again, with what was wrong with the last one. */
export function formatBadPlanRequest(reasons: readonly string[]): string {
  return joinParagraphs([
    'This plan cannot be carried out:',
    reasons.map((reason) => `- ${reason}`).join('\n'),
    'Answer with the whole plan again, changed accordingly, as the one JSON object that was asked for.',
  ]);
}

/** Note on questions that nobody answered in time. */
export function formatUnansweredNote(questions: readonly string[]): string {
  const listed = questions.map((question) => JSON.stringify(question)).join(', ');
  return `Nobody answered these questions in time: ${listed}. Assume what is most likely and does least harm, name each assumption in "context" and in "comment", and plan so that it can be changed later.`;
}
