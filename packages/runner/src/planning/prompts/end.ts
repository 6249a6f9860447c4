import {
  actionForm,
  formatActions,
  formatForm,
  formatLanguage,
  formatNotes,
  joinParagraphs,
  type RequestParts,
  type ToldAction,
} from './parts.ts';

interface VerificationRequest extends RequestParts {
  readonly criteria: readonly string[];
  readonly actions: readonly ToldAction[];
  /** Places of placeholders that code found, such as `src/a.ts:3`. */
  readonly places: readonly string[];
  /** Tools that run the project's checks, and may be called although they do more than read. */
  readonly checkTools: readonly string[];
}

/** Asks whether the goal is reached, with the project's own tests run and the changed files read again. @see seed 002 §13.6 */
export function formatVerificationRequest(request: VerificationRequest): string {
  const { criteria, actions, places, checkTools, history = '', notes, language } = request;
  return joinParagraphs([
    'All actions have ended. Verify the work before it is called done.',
    `Executed actions:\n${formatActions(actions)}`,
    `Success criteria:\n${toLines(criteria) || '- none were named: judge by the request'}`,
    history,
    formatNotes(notes),
    `Check each of these:
1. Is every part of the request done, and no part of it only begun?
2. Is each success criterion met, and by what can that be seen?
3. Do the project's own tests pass? Run them${checkTools.length > 0 ? ` (${checkTools.join(', ')})` : ', where there is a tool for it'}, and go by their real output.
4. Re-read modified files with tools: does each hold together, with its imports and its callers?
5. Is nothing left that stands in for work: TODO, FIXME, '...', # implementation here, a bare pass, raise NotImplementedError?`,
    places.length > 0 ? formatPlaces(places) : null,
    'Call tools first, then answer. verification_passed is true only if all five hold. Otherwise additional_actions holds what is left to do, and nothing else.',
    formatLanguage(language),
    formatForm(verificationForm),
  ]);
}

function formatPlaces(places: readonly string[]): string {
  return `What looks like a placeholder was found in added lines:\n${toLines(places)}\nRead each. If it has to stay as it is (a text about placeholders, a test of them), it goes into "explained", with its reason; every other is work that is left.`;
}

function toLines(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}

const verificationForm = `{
  "phase": "verification",
  "verification_passed": false,
  "issues_found": ["…"],
  "placeholder_detected": { "count": 0, "locations": [], "explained": [{ "location": "…", "reason": "…" }] },
  "additional_work_needed": true,
  "additional_actions": [${actionForm.replace('task_1', 'verification_fix_1')}],
  "completion_confidence": 0.0,
  "comment": "…"
}`;

interface EndRequest extends RequestParts {
  readonly actions: readonly ToldAction[];
}

/** Asks for the facts of a plan that has ended; code counts the tasks itself. */
export function formatCompletionRequest({ actions, notes, language }: EndRequest): string {
  return joinParagraphs([
    'The work has ended. Sum up what was reached, and what a later run on this thread should know.',
    `The plan:\n${formatActions(actions)}`,
    formatNotes(notes),
    formatLanguage(language),
    formatForm(completionForm),
  ]);
}

const completionForm = `{
  "phase": "completion",
  "done": true,
  "summary": { "goal_achieved": true, "tasks_completed": 0, "tasks_failed": 0, "key_outcomes": ["…"], "lessons_learned": ["…"] },
  "comment": "…"
}`;

/** Asks for the last answer, which people read on the thread. */
export function formatReportRequest({ actions, notes, language }: EndRequest): string {
  return joinParagraphs([
    `Now write the final answer for the people on the thread, in prose and in ${language ?? 'the language of the request'}, not as JSON: what was done, how it was checked, and what is open. Say openly what failed or was left out. Call no tools.`,
    `The plan:\n${formatActions(actions)}`,
    formatNotes(notes),
  ]);
}
