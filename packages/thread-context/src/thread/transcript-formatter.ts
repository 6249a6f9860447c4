import { toLineFeeds } from './normalize-text.ts';
import type { ChatTurn } from './ports.ts';

/**
 * The conversation as one text: `user: alice: hello`, `assistant: hi`, a turn after the other. Further lines of a
 * turn are indented by two spaces, so that no text can look like the turn of somebody else.
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
  const lines = toLineFeeds(text);
  return `${role}: ${lines.includes('\n') ? lines.replace(/\n(?!\n|$)/g, '\n  ') : lines}`;
}

/** A message as the AI SDK takes it. */
interface TurnMessage {
  role: 'user' | 'assistant';
  content: string;
}

/** The turns as messages for `generateText({ messages })` of the AI SDK, for models that are not given one text. */
export function toModelMessages(turns: readonly ChatTurn[]): TurnMessage[] {
  return turns.map(({ role, text }) => ({ role, content: text }));
}
