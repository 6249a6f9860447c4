import { access, writeFile } from 'node:fs/promises';
import type { Logger } from '@agent/text';
import { ContextStoreError } from '../context-store-error.ts';
import { dropTornLine } from '../disk/drop-torn-line.ts';
import { privateFile } from '../disk/private-modes.ts';
import { readLines } from '../disk/read-lines.ts';
import { replaceFile } from '../disk/replace-file.ts';
import type { MessageLike } from '../journal-model.ts';
import type { JournalFiles } from './journal-files.ts';
import { toContextLine } from './message-line.ts';
import { type ProjectedLine, projectContext } from './project-context.ts';
import { readMessages, readSummaries } from './read-journal.ts';
import { createStepCounter } from './step-counter.ts';

/** What a journal keeps in memory, so that no append has to read a file. */
export interface JournalCounters {
  lastSeq: number;
  toolLines: number;
  summaries: number;
  /** Estimated tokens of each message, by number. */
  readonly tokens: Map<number, number>;
  /** Number of the answer that began the last completed step, when the journal was opened. */
  readonly lastStepSeq: number;
}

export interface LoadJournalOptions<Message> {
  readonly parseMessage: (json: unknown) => Message;
  readonly logger: Logger | null;
}

/** Repairs what a crash left, counts what is there, and writes the projection `current.jsonl` anew. */
export async function loadJournal<Message extends MessageLike>(
  files: JournalFiles,
  options: LoadJournalOptions<Message>,
): Promise<JournalCounters> {
  await repairFiles(files, options.logger);
  const summaries = await readSummaries(files.summaries);
  const tokens = new Map<number, number>();
  const lines: ProjectedLine[] = [];
  const steps = createStepCounter();
  let lastSeq = 0;
  for await (const entry of readMessages(files.messages, options)) {
    requireNextSeq(entry.seq, { lastSeq, path: files.messages });
    lastSeq = entry.seq;
    steps.add(entry);
    tokens.set(entry.seq, entry.tokens);
    lines.push({
      seq: entry.seq,
      line: toContextLine(entry.message),
      isSystem: entry.message.role === 'system',
    });
  }
  const projected = projectContext(
    lines,
    summaries.filter(({ isFinal }) => !isFinal).map(({ summary }) => summary),
  );
  await replaceFile(files.current, toLines(projected), { sync: false });
  return {
    lastSeq,
    toolLines: await countLines(files.tools),
    summaries: summaries.at(-1)?.id ?? 0,
    tokens,
    lastStepSeq: steps.lastStepSeq(),
  };
}

/** Values as lines of JSON. */
export function toLines(values: readonly object[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('');
}

async function repairFiles(files: JournalFiles, logger: Logger | null): Promise<void> {
  for (const path of [files.messages, files.tools, files.summaries]) {
    if (path !== files.messages) await ensureFile(path);
    const droppedBytes = await dropTornLine(path);
    if (droppedBytes > 0) logger?.warn({ path, droppedBytes }, 'dropped a torn last line');
  }
}

async function ensureFile(path: string): Promise<void> {
  await access(path).catch(() => writeFile(path, '', { flag: 'a', mode: privateFile }));
}

async function countLines(path: string): Promise<number> {
  let count = 0;
  for await (const _ of readLines(path)) count += 1;
  return count;
}

function requireNextSeq(seq: number, { lastSeq, path }: { lastSeq: number; path: string }): void {
  if (seq === lastSeq + 1) return;
  const message = `In "${path}" message ${seq} follows message ${lastSeq}. Put the file back from a copy, or move the run's directory away.`;
  throw new ContextStoreError(message, { code: 'damaged' });
}
