/**
 * A message, as a model reads it.
 *
 * @see seed 003 §4.2
 */
export interface ChatTurn {
  /** `assistant` for what the bot itself wrote, `user` for people. */
  readonly role: 'user' | 'assistant';
  /** People's texts begin with their name: `alice: hello`. */
  readonly text: string;
}

/** A turn of which the name is still known by itself. */
export interface ThreadTurn {
  /** Id of its message. */
  readonly id: string;
  /** Null for the bot's own; empty where there was no room for it. */
  readonly name: string | null;
  readonly text: string;
}

/** A turn as a model reads it. */
export function toChatTurn({ name, text }: ThreadTurn): ChatTurn {
  if (name === null) return { role: 'assistant', text };
  return { role: 'user', text: name === '' ? text : `${name}: ${text}` };
}

/**
 * The conversation as one text: `user: alice: hello`, `assistant: hi`, a turn after the other. Further lines of a
 * turn are indented by two spaces, so that no text can look like the turn of somebody else.
 *
 * @example
 * new TranscriptFormatter().toTranscript([{ role: 'user', text: 'alice: hello' }]); // 'user: alice: hello'
 *
 * @see seed 003 §4.2, §5.2; decision D2
 */
export class TranscriptFormatter {
  /** Oldest first, as the turns come; no line break at the end. */
  toTranscript(turns: readonly ChatTurn[]): string {
    return turns.map(formatTurn).join('\n');
  }
}

/** One turn of a transcript. */
export function formatTurn({ role, text }: ChatTurn): string {
  return `${role}: ${indentFurtherLines(text)}`;
}

function indentFurtherLines(text: string): string {
  const lines = toLineFeeds(text);
  return lines.includes('\n') ? lines.replace(/\n(?!\n|$)/g, '\n  ') : lines;
}

/** A message as the AI SDK takes it. */
interface TurnMessage {
  role: 'user' | 'assistant';
  content: string;
}

/**
 * The turns as messages for `generateText({ messages })` of the AI SDK, for models that are not given one text. Further lines of what people
 * write are indented by two spaces, so that a message cannot hold a line that looks like the turn of another user.
 *
 * @example
 * const { text } = await generateText({ model, messages: toModelMessages(turns) });
 */
export function toModelMessages(turns: readonly ChatTurn[]): TurnMessage[] {
  return turns.map(({ role, text }) => ({
    role,
    content: role === 'user' ? indentFurtherLines(text) : text,
  }));
}

/** Whatever else a reader may take for the end of a line. */
const otherLineBreak = /[\r\v\f\u0085\u2028\u2029]/;

/** Every line ends in LF and in nothing else. */
export function toLineFeeds(text: string): string {
  return otherLineBreak.test(text) ? text.replace(/\r\n|[\r\v\f\u0085\u2028\u2029]/g, '\n') : text;
}

const indentation = 2;

/** Counts the UTF-16 units that a turn takes in a transcript, without writing it. */
export function measureTurn({ name, text }: ThreadTurn): number {
  const speaker =
    name === null ? 'assistant: '.length : 'user: '.length + (name === '' ? 0 : `${name}: `.length);
  return speaker + text.length + indentation * countFurtherLines(text);
}

/** Lines behind the first that are not empty: those are indented. */
function countFurtherLines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    if (at + 1 < text.length && text.charAt(at + 1) !== '\n') lines += 1;
  }
  return lines;
}
