import { access, stat, writeFile } from 'node:fs/promises';
import type { Logger } from '@agent/text';
import { privateFile, replaceFile } from '../disk/files.ts';
import { dropTornLine, hasNoHole, readLines } from '../disk/lines.ts';
import type { MessageEntry, MessageLike, RunSummary } from '../journal-model.ts';
import type { JournalFiles } from '../places.ts';
import type { RecordDamage } from '../ports.ts';
import { cutRecord, damageFact, parseDamage } from '../record/damage.ts';
import { createOutboxLedger, type OutboxLedger } from '../record/outbox-ledger.ts';
import type { BrokenLine } from '../record/read-record.ts';
import type { RecordEnd } from '../record/record-writer.ts';
import { toContextLine } from './message-line.ts';
import { readEntries } from './read-journal.ts';
import { readSummaries } from './summary-line.ts';

/** Counters that a journal keeps in memory, so that no append has to read a file. */
export interface JournalCounters {
  lastSeq: number;
  toolLines: number;
  summaries: number;
  /** Estimated tokens of each message, by number. */
  readonly tokens: Map<number, number>;
  /** Number of the answer that began the last completed step, when the journal was opened. */
  readonly lastStepSeq: number;
  readonly outbox: OutboxLedger;
  /** Damage since which no message was written. */
  readonly damage: RecordDamage | null;
  readonly end: RecordEnd;
}

interface LoadJournalOptions<Message> {
  readonly parseMessage: (json: unknown) => Message;
  readonly logger: Logger | null;
  /** Number of the owner; null where the store has none. */
  readonly owner: number | null;
  /** ISO 8601, UTC. */
  readonly timestamp: () => string;
}

/** Repairs what a crash left, counts what is there, and writes the projection `current.jsonl` anew. */
export async function loadJournal<Message extends MessageLike>(
  files: JournalFiles,
  options: LoadJournalOptions<Message>,
): Promise<JournalCounters> {
  const { logger, parseMessage, owner, timestamp } = options;
  await repairFiles(files, logger);
  const summaries = await readSummaries(files.summaries);
  const tokens = new Map<number, number>();
  const lines: ProjectedLine[] = [];
  const steps = createStepCounter();
  const outbox = createOutboxLedger();
  let position = { line: 0, check: '' };
  let lastSeq = 0;
  let damage: RecordDamage | null = null;
  let broken: BrokenLine | null = null;
  const onBroken = (found: BrokenLine) => {
    broken = found;
  };
  for await (const { line, check, entry } of readEntries(files.messages, { parseMessage, onBroken })) {
    position = { line, check };
    if (entry.type === 'fact') {
      outbox.apply(entry);
      if (entry.name === damageFact) damage = parseDamage(entry.data);
      continue;
    }
    damage = null;
    lastSeq = entry.seq;
    steps.add(entry);
    tokens.set(entry.seq, entry.tokens);
    lines.push({
      seq: entry.seq,
      line: toContextLine(entry.message),
      isSystem: entry.message.role === 'system',
    });
  }
  if (broken !== null) {
    logger?.error({ ...(broken as BrokenLine) }, 'a journal is damaged; it goes on from what stands before');
    await cutRecord(broken, { owner, timestamp: timestamp() });
    return loadJournal(files, options);
  }
  const projected = projectContext(
    lines,
    summaries
      .filter(({ isFinal, afterSeq }) => !isFinal && afterSeq <= lastSeq)
      .map(({ summary }) => summary),
  );
  await replaceFile(files.current, toLines(projected), { sync: false });
  return {
    lastSeq,
    toolLines: await countLines(files.tools),
    summaries: summaries.at(-1)?.id ?? 0,
    tokens,
    lastStepSeq: steps.lastStepSeq(),
    outbox,
    damage,
    end: { ...position, size: (await stat(files.messages)).size },
  };
}

/** Values as lines of JSON. */
export function toLines(values: readonly object[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('');
}

async function repairFiles(files: JournalFiles, logger: Logger | null): Promise<void> {
  for (const path of [files.messages, files.tools, files.summaries]) {
    if (path !== files.messages) await ensureFile(path);
    const droppedBytes = await dropTornLine(path, path === files.messages ? { isWhole: hasNoHole } : {});
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

interface Part {
  readonly type?: unknown;
  readonly providerExecuted?: unknown;
}

/** Follows a journal, and knows the last step of the run that was carried out to its end. */
interface StepCounter {
  readonly add: (entry: MessageEntry<MessageLike>) => void;
  /** Number of the answer that began the last completed step; 0 before the first. */
  readonly lastStepSeq: () => number;
}

/**
 * A step is an answer of the model with the results of all the tools it calls. Every answer but the last has
 * them: the model is not asked again before.
 */
function createStepCounter(): StepCounter {
  let previous = 0;
  let last = 0;
  let openCalls = 0;
  return {
    add: ({ seq, message, usage }) => {
      if (message.role === 'tool') openCalls -= countParts(message, isResult);
      if (message.role !== 'assistant' || usage === null) return;
      previous = last;
      last = seq;
      openCalls = countParts(message, isCall);
    },
    lastStepSeq: () => (openCalls > 0 ? previous : last),
  };
}

function countParts({ content }: MessageLike, isCounted: (part: Part) => boolean): number {
  return Array.isArray(content) ? (content as Part[]).filter(isCounted).length : 0;
}

function isCall({ type, providerExecuted }: Part): boolean {
  return type === 'tool-call' && providerExecuted !== true;
}

function isResult({ type }: Part): boolean {
  return type === 'tool-result';
}

/** A message in the context, by number; null where a summary stands. */
interface ProjectedLine {
  readonly seq: number;
  readonly line: object;
  readonly isSystem: boolean;
}

/**
 * The lines of `current.jsonl`: summaries in the place of what they stand for, all else as it came. The system's
 * message is never summarized.
 */
function projectContext(
  lines: readonly ProjectedLine[],
  summaries: readonly RunSummary[],
): readonly object[] {
  const standing = keepUncovered(summaries);
  const covers = (seq: number) => standing.some(({ startSeq, endSeq }) => startSeq <= seq && seq <= endSeq);
  const kept = lines.filter(({ seq, isSystem }) => isSystem || !covers(seq));
  const replaced = standing.map(({ startSeq, text }) => ({
    seq: startSeq,
    line: { role: 'assistant', content: text },
  }));
  return [...kept, ...replaced].sort((a, b) => a.seq - b.seq).map(({ line }) => line);
}

/** Leaves out what a later summary stands for as well. */
function keepUncovered(summaries: readonly RunSummary[]): RunSummary[] {
  return summaries.filter(
    (summary, index) =>
      !summaries
        .slice(index + 1)
        .some(({ startSeq, endSeq }) => startSeq <= summary.startSeq && summary.endSeq <= endSeq),
  );
}
