import {
  appendFileSync,
  closeSync,
  fdatasyncSync,
  openSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

/** A message as text, with who said it. */
export interface EarlierMessage {
  readonly role: string;
  readonly content: string;
}

export interface EarlierStoreOptions {
  /** Waits at each message until it is on the disk. */
  readonly sync: boolean;
}

/** A run's messages as the earlier agent kept them: it remembers nothing, and reads its files again each time. */
export interface EarlierStore {
  /** Reads all lines for the next number. */
  readonly findNextSeq: () => number;
  readonly write: (message: EarlierMessage, seq: number) => void;
  /** Reads all lines for the sum of those that are in the context. */
  readonly countTokens: () => number;
}

interface Line {
  readonly seq: number;
  readonly tokens: number;
}

/** The earlier way, ported: same files, same reading, without a detour that the language does not force. */
export function createEarlierStore(directory: string, { sync }: EarlierStoreOptions): EarlierStore {
  const messages = join(directory, 'messages.jsonl');
  const current = join(directory, 'current.jsonl');
  writeFileSync(messages, '');
  writeFileSync(current, '');
  return {
    findNextSeq: () => (readLines(messages) as Line[]).reduce((last, { seq }) => Math.max(last, seq), 0) + 1,
    write: ({ role, content }, seq) => {
      const timestamp = new Date().toISOString();
      const line = { seq, role, content, timestamp, tokens: Math.floor(content.length / 4) };
      appendLine(messages, line, sync);
      appendFileSync(current, `${JSON.stringify({ role, content })}\n`);
    },
    countTokens: () => {
      const shown = readLines(current).length;
      const kept = (readLines(messages) as Line[]).slice(-shown);
      return kept.reduce((sum, { tokens }) => sum + tokens, 0);
    },
  };
}

function appendLine(path: string, line: object, sync: boolean): void {
  const file = openSync(path, 'a');
  try {
    writeSync(file, `${JSON.stringify(line)}\n`);
    if (sync) fdatasyncSync(file);
  } finally {
    closeSync(file);
  }
}

function readLines(path: string): unknown[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as unknown);
}
