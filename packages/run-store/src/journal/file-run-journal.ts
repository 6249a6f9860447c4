import { basename } from 'node:path';
import type { Logger } from '@agent/text';
import { z } from 'zod';
import { ContextStoreError } from '../context-store-error.ts';
import { createOpenFiles } from '../disk/open-files.ts';
import { replaceFile } from '../disk/replace-file.ts';
import { toStorageError } from '../disk/storage-error.ts';
import { createWriteQueue } from '../disk/write-queue.ts';
import { wasOpenedAgain } from '../file/run-errors.ts';
import type { JournalEvent, MessageEvent, MessageLike, RunEnd, RunSummary } from '../journal-model.ts';
import type { FileRunJournal } from '../ports.ts';
import { createContextProjection } from './context-projection.ts';
import { type JournalFiles, toJournalFiles } from './journal-files.ts';
import { type JournalCounters, loadJournal, toLines } from './load-journal.ts';
import { formatMessage, toContextLine } from './message-line.ts';
import { formatOutcome } from './outcome-file.ts';
import { readJournal } from './read-journal.ts';
import { toSummaryLine } from './summary-line.ts';
import { toToolLine } from './tool-line.ts';

const call = { toolCallId: z.string(), tool: z.string() };
const eventSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('message'),
    message: z.object({
      role: z.string(),
      content: z.union([z.string(), z.looseObject({}), z.array(z.unknown())]),
    }),
    usage: z.object({ inputTokens: z.number(), outputTokens: z.number() }).nullable(),
    delivers: z.array(z.object({ id: z.string(), revision: z.string(), kind: z.string() })),
  }),
  z.object({ type: z.literal('tool-started'), ...call }),
  z.object({
    type: z.literal('tool-finished'),
    ...call,
    status: z.enum(['success', 'error']),
    output: z.string(),
    failure: z.string().optional(),
    durationMs: z.number(),
  }),
]);
const endSchema = z.object({
  status: z.enum(['completed', 'failed', 'stopped', 'paused']),
  statistics: z.object({ modelCalls: z.number(), toolCalls: z.number() }),
});

/**
 * Tells a caller's mistake from a disk's: what is written down must be readable again.
 * @throws {ContextStoreError} `invalid`, naming the field
 */
function checkJournalEvent(event: unknown): void {
  check(eventSchema, event, 'an event of a journal');
}

/** The same for how a run ended. @throws {ContextStoreError} `invalid`, naming the field */
function checkRunEnd(end: unknown): void {
  check(endSchema, end, 'the end of a run');
}

function check(schema: z.ZodType, value: unknown, kind: string): void {
  const { error } = schema.safeParse(value);
  if (error === undefined) return;
  const [issue] = error.issues;
  const place = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.join('.')}: `;
  throw new ContextStoreError(
    `This is not ${kind} and was not written: ${place}${issue?.message}. Mend the call.`,
    { code: 'invalid', cause: error },
  );
}

/** One for the process, whose files they are: bounded however many runs are at work or were given up. */
const openFiles = createOpenFiles({ maxOpen: 64 });

/** Options of a journal in files. */
export interface FileRunJournalOptions<Message> {
  /** Checks a message that comes back from disk; throws for one that is none. */
  readonly parseMessage: (json: unknown) => Message;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
  readonly logger?: Logger | null | undefined;
  /** Called after each write that reached the disk, before the caller hears of it. Tests stop a process here. */
  readonly afterSync?: ((write: SyncedWrite) => void) | undefined;
}

/** Which file of which run reached the disk. */
export interface SyncedWrite {
  readonly uuid: string;
  readonly file: string;
}

/**
 * Opens the journal in a run's directory, which must have a `messages.jsonl`: drops torn last lines, counts once,
 * and appends without ever reading again. Its end closes its files; `current.jsonl` may lag until then.
 * @throws {ContextStoreError} `damaged` or `storage-…`; after a failed write every later one but the end rejects with it.
 *   `invalid` for an event or an end that is none: nothing is written then, and the journal goes on
 */
export async function openFileRunJournal<Message extends MessageLike>(
  directory: string,
  options: FileRunJournalOptions<Message>,
): Promise<FileRunJournal<Message>> {
  return (await openLoadedJournal(directory, options)).journal;
}

/** A journal that was just opened, and where it stood then. */
export interface LoadedJournal<Message> {
  readonly journal: FileRunJournal<Message>;
  readonly lastSeq: number;
  /** Number of the answer that began the last completed step; 0 before the first. */
  readonly lastStepSeq: number;
  /**
   * Brings the projection up to date and closes the files, so that the directory can be moved; the journal can go
   * on after it. Never rejects: all that matters was synced before.
   */
  readonly settle: () => Promise<void>;
  /** Settles for good: what is written from then on, but the end, is refused. For a run that is opened again. */
  readonly retire: () => Promise<void>;
}

/** Opens a journal as `openFileRunJournal` does, and tells how far it had come. */
export async function openLoadedJournal<Message extends MessageLike>(
  directory: string,
  options: FileRunJournalOptions<Message>,
): Promise<LoadedJournal<Message>> {
  const { parseMessage, logger = null } = options;
  const files = toJournalFiles(directory);
  const counters = await loadJournal(files, { parseMessage, logger }).catch((error: unknown) => {
    throw toStorageError(error, `open the journal in "${directory}"`);
  });
  const { lastSeq, lastStepSeq } = counters;
  const writer = createWriter({ directory, files, counters, options });
  const queue = createWriteQueue();
  const translated =
    <Result>(write: () => Promise<Result>) =>
    () =>
      write().catch((error: unknown) => {
        throw toStorageError(error, `write the journal in "${directory}"`);
      });
  const journal: FileRunJournal<Message> = {
    append: async (event) => {
      checkJournalEvent(event);
      return queue.add(translated(() => writer.append(event)));
    },
    read: () => readJournal(files, { parseMessage }),
    replaceContext: (messages, summary) =>
      queue.add(translated(() => writer.replaceContext(messages, summary))),
    finish: async (end) => {
      checkRunEnd(end);
      return queue.addEnd(translated(() => writer.finish(end)));
    },
  };
  const settle = () => queue.addEnd(writer.settle);
  const retire = () => {
    queue.add(() => Promise.reject(wasOpenedAgain(directory))).catch(() => undefined);
    return settle();
  };
  return { journal, lastSeq, lastStepSeq, settle, retire };
}

interface WriterOptions<Message> {
  readonly directory: string;
  readonly files: JournalFiles;
  readonly counters: JournalCounters;
  readonly options: FileRunJournalOptions<Message>;
}

function createWriter<Message extends MessageLike>(writer: WriterOptions<Message>) {
  const { directory, files, counters, options } = writer;
  const { now = Date.now, afterSync, logger = null } = options;
  const projection = createContextProjection(files.current, openFiles);
  const timestamp = () => new Date(now()).toISOString();
  const synced = (path: string) => afterSync?.({ uuid: basename(directory), file: basename(path) });

  async function appendSynced(path: string, line: string): Promise<void> {
    await openFiles.append(path, line, { sync: true });
    synced(path);
  }

  async function settle(): Promise<void> {
    await projection.flush().catch((err: unknown) => {
      logger?.warn(
        { err, path: files.current },
        'the context on disk lags behind; an opening writes it anew',
      );
    });
    await openFiles.close([files.messages, files.tools, files.summaries, files.current]);
  }

  async function appendMessage(event: MessageEvent<Message>): Promise<number> {
    const seq = counters.lastSeq + 1;
    const { line, contextLine, tokens } = formatMessage(event, { seq, timestamp: timestamp() });
    await appendSynced(files.messages, line);
    counters.lastSeq = seq;
    counters.tokens.set(seq, tokens);
    await projection.add(contextLine);
    return seq;
  }

  return {
    async append(event: JournalEvent<Message>): Promise<number> {
      if (event.type === 'message') return appendMessage(event);
      const seq = counters.toolLines + 1;
      await appendSynced(files.tools, toLines([toToolLine(event, { seq, timestamp: timestamp() })]));
      counters.toolLines = seq;
      return seq;
    },
    async replaceContext(messages: readonly Message[], summary: RunSummary): Promise<void> {
      const id = counters.summaries + 1;
      const originalTokens = sumTokens(counters.tokens, summary);
      const place = { id, afterSeq: counters.lastSeq, originalTokens, timestamp: timestamp() };
      await appendSynced(files.summaries, toLines([toSummaryLine(summary, place)]));
      counters.summaries = id;
      await projection.replace(toLines(messages.map(toContextLine)));
    },
    settle,
    async finish(end: RunEnd): Promise<void> {
      await settle();
      await replaceFile(files.outcome, formatOutcome(end, timestamp()));
      synced(files.outcome);
    },
  };
}

function sumTokens(tokens: ReadonlyMap<number, number>, range: RunSummary): number {
  let sum = 0;
  for (let seq = range.startSeq; seq <= range.endSeq; seq += 1) sum += tokens.get(seq) ?? 0;
  return sum;
}
