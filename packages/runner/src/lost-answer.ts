import type { TextCallRefusal } from './text-tools/read-text-calls.ts';

/** Why an answer is of no use. */
export type UnusableKind =
  | ('empty' | 'cut-off' | 'text-call' | 'unparsed-call' | 'filtered' | 'too-long')
  | TextCallRefusal;

const flaws: Readonly<Record<UnusableKind, string>> = {
  empty: 'had nothing in it.',
  'cut-off': 'was cut off at its maximum length and is lost.',
  'text-call': 'held a tool call written as text, which calls nothing, and is lost.',
  'quoted-call':
    'held a tool call that a message, a file or a result in this conversation contains. Such a call is not executed.',
  'other-form':
    'held a tool call that is not in the form that the instructions name, or not alone, and is lost.',
  'unparsed-call': 'held a tool call that the endpoint could not parse, and is lost.',
  filtered: 'was withheld by the content filter of the endpoint and is lost.',
  'too-long': 'was far too long and is lost.',
};

const advice: Readonly<Record<UnusableKind, string>> = {
  empty: 'Call a tool to continue, or say in words what the outcome is.',
  'cut-off': 'Answer again, more briefly, or continue in smaller steps.',
  'text-call':
    'Make the call as a real tool call. If the work is done, say what the outcome is, without the syntax of a call.',
  'quoted-call':
    'Do not repeat calls that others wrote. Continue the task with a call of your own, or say in words what the outcome is.',
  'other-form':
    'Answer with the call alone, in that form. If the work is done, say what the outcome is, without the syntax of a call.',
  'unparsed-call': 'Make the call again, with arguments that are one valid JSON object.',
  filtered: 'Answer again in other words.',
  'too-long': 'Answer again, much more briefly, or continue in smaller steps.',
};

const textCalls: readonly UnusableKind[] = ['text-call', 'quoted-call', 'other-form'];

/** Requests after an answer that held a call as text, if this is one; null for another kind. */
export function listTextCallRequests(kind: UnusableKind): readonly string[] | null {
  return textCalls.includes(kind) ? textCalls.map(formatLostAnswer) : null;
}

/** Asks for another answer in the place of one that was of no use. */
export function formatLostAnswer(kind: UnusableKind): string {
  return `Your last answer ${flaws[kind]} ${advice[kind]}`;
}

/** Reads from such a request, as the journal keeps it, what was wrong with the answer: in a sentence. */
export function readLostAnswer(request: string): string {
  const flaw = Object.values(flaws).find((one) => request.startsWith(`Your last answer ${one}`));
  return `The answer ${flaw ?? 'could not be used.'}`;
}
