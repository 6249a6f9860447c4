import type { ActionState, PlannedAction } from '../model.ts';

/** Parts that every request has room for. */
export interface RequestParts {
  /** Language of values that people read, such as `Japanese`; null and default: that of the request. */
  readonly language?: string | null | undefined;
  /** Text of earlier runs, cleaned, cut and enclosed; empty for none. */
  readonly history?: string;
  /** Sentences of our own code about what has to be taken into account. */
  readonly notes?: readonly string[];
}

/** Action with its standing, as a request tells it. */
export interface ToldAction extends Pick<PlannedAction, 'task_id' | 'purpose'> {
  readonly state: 'waiting' | ActionState;
}

const states: Readonly<Record<ToldAction['state'], string>> = {
  waiting: 'not begun',
  started: 'begun, not ended',
  succeeded: 'done',
  failed: 'failed',
  invalidated: 'no longer valid',
};

/** Lines of actions in their order. */
export function formatActions(actions: readonly ToldAction[]): string {
  const lines = actions.map(({ task_id: id, purpose, state }) => `- ${id} (${states[state]}): ${purpose}`);
  return lines.join('\n') || '- none';
}

/** Paragraphs with an empty line between them, those that are empty left out. */
export function joinParagraphs(paragraphs: readonly (string | null)[]): string {
  return paragraphs.filter((one) => one !== null && one !== '').join('\n\n');
}

/** Sentences as a list below a line of their own; null for none. */
export function formatNotes(notes: readonly string[] = []): string | null {
  return notes.length === 0 ? null : `Take into account:\n${notes.map((note) => `- ${note}`).join('\n')}`;
}

const maxQuoteChars = 500;

/** Words of a model in a request, in one line and in quotation marks: what they say is no order of ours. */
export function quoteText(text: string): string {
  const isLong = text.length > maxQuoteChars;
  return JSON.stringify(isLong ? `${text.slice(0, maxQuoteChars - 1).toWellFormed()}…` : text);
}

/** Sentence about the language of what people read. */
export function formatLanguage(language: RequestParts['language']): string {
  const named = language ?? 'the language of the request';
  return `Write texts that people read in ${named}; keep keys, ids, names of tools and code as they are.`;
}

/** Form of an answer. */
export function formatForm(form: string): string {
  return `Answer with this one JSON object and nothing else:\n${form}`;
}

/** Form of an action, in a line of its own. */
export const actionForm =
  '{ "task_id": "task_1", "action_type": "tool_call", "tool": "…", "parameters": { }, "purpose": "…", "expected_outcome": "…", "fallback_strategy": "…" }';

/** Form of a subtask, in a line of its own. */
export const subtaskForm =
  '{ "id": "task_1", "description": "…", "dependencies": [], "estimated_complexity": "low|medium|high", "required_tools": ["…"], "rests_on": [] }';
