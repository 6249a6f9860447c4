import { createHash } from 'node:crypto';

/** Identifies a message of a run's journal in the conversation of an agent. */
interface MarkedMessage {
  /** Drawn for the session and told to nobody: who has seen one mark cannot write another. */
  readonly secret: string;
  /** Number of the message in the journal. */
  readonly seq: number;
}

const markPattern = /\[message ([0-9a-f]{16})\]/gu;

/** Writes the text of a message so that it is found again in what an agent replays of its conversation. */
export function markText(text: string, message: MarkedMessage): string {
  return `${text}\n\n[message ${toMark(message)}]`;
}

/** Finds all marks in a text. */
export function findMarks(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(markPattern)].map(([, found = '']) => found));
}

/** Gives the mark of a message. */
export function toMark({ secret, seq }: MarkedMessage): string {
  return createHash('sha256').update(`${secret}:${seq}`).digest('hex').slice(0, 16);
}
