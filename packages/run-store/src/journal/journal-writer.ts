import { basename } from 'node:path';
import type { Logger } from '@agent/text';
import { replaceFile } from '../disk/files.ts';
import { createOpenFiles, type OpenFiles } from '../disk/open-files.ts';
import { formatOutcome, toOutcome } from '../file/run-documents.ts';
import type { JournalEvent, MessageEvent, MessageLike, RunEnd, RunSummary } from '../journal-model.ts';
import type { JournalFiles } from '../places.ts';
import type { NewIntent, RecordOwner } from '../ports.ts';
import { intentFacts } from '../record/outbox-ledger.ts';
import { formatFact } from '../record/record-line.ts';
import { createRecordWriter } from '../record/record-writer.ts';
import type { Json } from '../run-model.ts';
import { type JournalCounters, toLines } from './load-journal.ts';
import { formatMessage, toContextLine } from './message-line.ts';
import { toSummaryLine } from './summary-line.ts';
import { toToolLine } from './tool-line.ts';

/** Options of a journal in files. */
export interface FileRunJournalOptions<Message> {
  /** Checks a message that comes back from disk; throws for one that is none. */
  readonly parseMessage: (json: unknown) => Message;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
  readonly logger?: Logger | null | undefined;
  /** Owner of the directory: its number stands in each line, and its guard lets no earlier owner write. Default none. */
  readonly owner?: RecordOwner | null | undefined;
  /** Called after each write that reached the disk, before the caller hears of it. Tests stop a process here. */
  readonly afterSync?: ((write: SyncedWrite) => void) | undefined;
}

/** Which file of which run reached the disk. */
export interface SyncedWrite {
  readonly uuid: string;
  readonly file: string;
}

/** One for the process, whose files they are: bounded however many runs are at work or were given up. */
const openFiles = createOpenFiles({ maxOpen: 64 });

interface WriterOptions<Message> {
  readonly directory: string;
  readonly files: JournalFiles;
  readonly counters: JournalCounters;
  readonly options: FileRunJournalOptions<Message>;
}

export function createWriter<Message extends MessageLike>(writer: WriterOptions<Message>) {
  const { directory, files, counters, options } = writer;
  const { now = Date.now, afterSync, logger = null, owner = null } = options;
  const { outbox, end } = counters;
  const record = createRecordWriter(files.messages, { end, files: openFiles, owner });
  const projection = createContextProjection(files.current, openFiles);
  const timestamp = () => new Date(now()).toISOString();
  const synced = (path: string) => afterSync?.({ uuid: basename(directory), file: basename(path) });

  async function appendSynced(path: string, line: string): Promise<void> {
    await openFiles.append(path, line, { sync: true });
    synced(path);
  }

  async function appendRecord(body: string): Promise<void> {
    await record.append(body);
    synced(files.messages);
  }

  async function appendFact(name: string, data: Json): Promise<number> {
    const at = timestamp();
    await appendRecord(formatFact({ name, data, timestamp: at }));
    outbox.apply({ type: 'fact', name, data, timestamp: at });
    return record.position().line;
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
    const { body, contextLine, tokens } = formatMessage(event, { seq, timestamp: timestamp() });
    await appendRecord(body);
    counters.lastSeq = seq;
    counters.tokens.set(seq, tokens);
    await projection.add(contextLine);
    return seq;
  }

  return {
    position: record.position,
    appendFact,
    async append(event: JournalEvent<Message>): Promise<number> {
      if (event.type === 'message') return appendMessage(event);
      if (event.type === 'fact') return appendFact(event.name, event.data);
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
    async finish(end: RunEnd, intents: readonly NewIntent[]): Promise<void> {
      const outcome = toOutcome(end, timestamp());
      await appendFact(intentFacts.ended, { outcome, intents } as unknown as Json);
      await settle();
      await replaceFile(files.outcome, formatOutcome(outcome));
      synced(files.outcome);
    },
  };
}

function sumTokens(tokens: ReadonlyMap<number, number>, range: RunSummary): number {
  let sum = 0;
  for (let seq = range.startSeq; seq <= range.endSeq; seq += 1) sum += tokens.get(seq) ?? 0;
  return sum;
}

/** Characters of lines that may wait in memory. */
const maxWaiting = 16 * 1024;

/**
 * `current.jsonl`, what the model sees, line by line. Nothing rests on it, so its lines wait in memory until they are
 * worth a write or the run comes to rest; an opening writes it anew.
 * @see decision X14
 */
interface ContextProjection {
  readonly add: (line: string) => Promise<void>;
  /** Puts these lines in the place of all. */
  readonly replace: (text: string) => Promise<void>;
  /** Writes what waits. */
  readonly flush: () => Promise<void>;
}

/** @param path the file, which must be there and whole */
function createContextProjection(path: string, files: OpenFiles): ContextProjection {
  let waiting: string[] = [];
  let length = 0;

  function takeWaiting(): string {
    const text = waiting.join('');
    waiting = [];
    length = 0;
    return text;
  }

  async function flush(): Promise<void> {
    if (waiting.length > 0) await files.append(path, takeWaiting(), { sync: false });
  }

  return {
    add: async (line) => {
      waiting.push(line);
      length += line.length;
      if (length >= maxWaiting) await flush();
    },
    replace: async (text) => {
      takeWaiting();
      // Windows renames nothing over a file that is open.
      await files.close([path]);
      await replaceFile(path, text, { sync: false });
    },
    flush,
  };
}
