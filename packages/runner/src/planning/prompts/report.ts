import {
  formatActions,
  formatForm,
  formatLanguage,
  formatNotes,
  joinParagraphs,
  type RequestParts,
  type ToldAction,
} from './parts.ts';

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
