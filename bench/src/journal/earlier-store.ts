import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A message as text, with who said it. */
export interface EarlierMessage {
  readonly role: string;
  readonly content: string;
}

/** A run's messages as the earlier agent kept them: it remembers nothing, and reads its files again each time. */
export interface EarlierStore {
  /** Parses all lines for the next number. */
  readonly findNextSeq: () => number;
  readonly write: (message: EarlierMessage, seq: number) => void;
  /** Counts the lines of the context, and parses all messages for the tokens of as many of the last ones. */
  readonly countTokens: () => number;
}

interface Line {
  readonly seq: number;
  readonly tokens: number;
}

/**
 * The earlier way, ported: same files, same reading, without a detour that the language does not force. It never
 * waited for the disk.
 */
export function createEarlierStore(directory: string): EarlierStore {
  const messages = join(directory, 'messages.jsonl');
  const current = join(directory, 'current.jsonl');
  writeFileSync(messages, '');
  writeFileSync(current, '');
  return {
    findNextSeq: () => parseLines(messages).reduce((last, { seq }) => Math.max(last, seq), 0) + 1,
    write: ({ role, content }, seq) => {
      const timestamp = new Date().toISOString();
      const line = { seq, role, content, timestamp, tokens: Math.floor(content.length / 4) };
      appendFileSync(messages, `${JSON.stringify(line)}\n`);
      appendFileSync(current, `${JSON.stringify({ role, content })}\n`);
    },
    countTokens: () => {
      const shown = readLines(current).length;
      return parseLines(messages)
        .slice(-shown)
        .reduce((sum, { tokens }) => sum + tokens, 0);
    },
  };
}

function parseLines(path: string): Line[] {
  return readLines(path).map((line) => JSON.parse(line) as Line);
}

function readLines(path: string): string[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  lines.pop();
  return lines;
}
