import { ContextStoreError, toStorageError } from '../context-store-error.ts';
import { checkJournalEvent, checkRunEnd, type MessageLike } from '../journal-model.ts';
import type { Outbox, RecordPosition, RunJournal } from '../ports.ts';
import { createOutbox, requireIntent } from '../record/outbox-ledger.ts';
import type { RecordSource } from '../record/run-record.ts';
import type { NewFinalSummary } from '../run-model.ts';
import type { JournalWriter, NewFact } from './journal-writer.ts';
import { readJournal } from './read-journal.ts';
import type { LoadedRecord } from './record-reading.ts';

/** The record of a run that was just opened: the journal, and what else is written there. */
export interface LoadedJournal<Message>
  extends Pick<LoadedRecord<Message>, 'facts' | 'damage' | 'crashesInARow'> {
  readonly journal: RunJournal<Message>;
  readonly outbox: Outbox;
  readonly position: () => RecordPosition;
  /** Resolves once the line is synced, in the order of all writes. */
  readonly appendFact: (fact: NewFact) => Promise<void>;
  /** `at`: ISO 8601, UTC. */
  readonly appendFinalSummary: (summary: NewFinalSummary, at: string) => Promise<void>;
  /** Writes that the process gives the run back, whether other writes have failed or not. */
  readonly leave: () => Promise<void>;
  /**
   * Brings the files beside the record up to date and closes all, so that the directory can be moved; the journal can
   * go on after it. Never rejects: all that matters was synced before.
   */
  readonly settle: () => Promise<void>;
  /** Settles for good: what is written from then on, but the end, is refused. For a run that is opened again. */
  readonly retire: () => Promise<void>;
}

interface LoadedParts<Message extends MessageLike> {
  readonly loaded: LoadedRecord<Message>;
  readonly writer: JournalWriter<Message>;
  readonly source: RecordSource;
  readonly parseMessage: (json: unknown) => Message;
  /** Place of the run in words for people: a path. */
  readonly location: string;
}

/** The journal over a record that was read, wherever that is kept: its writes are carried out one after the other. */
export function createLoadedJournal<Message extends MessageLike>(
  parts: LoadedParts<Message>,
): LoadedJournal<Message> {
  const { loaded, writer, source, parseMessage, location } = parts;
  const queue = createWriteQueue(location);
  const journal: RunJournal<Message> = {
    append: (event) => {
      try {
        checkJournalEvent(event);
      } catch (error) {
        return Promise.reject(error);
      }
      return queue.add(() => writer.append(event));
    },
    read: ({ facts } = {}) => readJournal(source, { parseMessage, kept: loaded.kept, facts }),
    replaceContext: (messages, summary) => queue.add(() => writer.replaceContext(messages, summary)),
    finish: async (end, { intents = [] } = {}) => {
      checkRunEnd(end);
      const required = intents.map(requireIntent);
      await queue.addEnd(() => writer.finish(end, required));
      queue.goOn();
    },
  };
  const { facts, damage, crashesInARow } = loaded;
  const appendFact = (fact: NewFact) => queue.addAlone(() => writer.appendFact(fact));
  const settle = () => queue.addEnd(writer.settle);
  return {
    ...{ journal, facts, damage, crashesInARow, appendFact, settle, position: writer.position },
    outbox: {
      ...createOutbox({
        readLedger: async () => facts.outbox,
        append: writer.appendFact,
        inTurn: queue.add,
      }),
      // Also behind a refused write.
      list: () => queue.addEnd(async () => facts.outbox.list()),
    },
    appendFinalSummary: (summary, at) => queue.add(() => writer.appendFinalSummary(summary, at)),
    leave: () => queue.addEnd(() => writer.appendFact({ name: 'left', data: {} })),
    retire: () => {
      queue.end(wasOpenedAgain(location));
      return settle();
    },
  };
}

function wasOpenedAgain(location: string): ContextStoreError {
  const message = `The run in "${location}" was opened again since, and two journals would use the same line numbers. Write to the journal that was opened last.`;
  return new ContextStoreError(message, { code: 'owned' });
}

/** Carries writes out one after the other; after one that failed, nothing is written but the end, and what follows from that. */
interface WriteQueue {
  /** Rejects with the first failure, from then on always. */
  readonly add: <Result>(write: () => Promise<Result>) => Promise<Result>;
  /** The same for what nothing rests on that is added later: a failure is the caller's alone. */
  readonly addAlone: <Result>(write: () => Promise<Result>) => Promise<Result>;
  /** Waits for what was added before, and writes whether that succeeded or not. */
  readonly addEnd: <Result>(write: () => Promise<Result>) => Promise<Result>;
  /** Takes everything again: what was refused is made up for. */
  readonly goOn: () => void;
  /** Takes nothing but the end from now on. */
  readonly end: (reason: Error) => void;
}

type WriteKind = 'write' | 'alone' | 'end';

function createWriteQueue(location: string): WriteQueue {
  const waiting: (() => void)[] = [];
  let isBusy = false;
  // What failed keeps a hole out of the file: nothing is written behind it.
  let failure: Error | null = null;
  let isOver = false;

  async function run<Result>(kind: WriteKind, write: () => Promise<Result>): Promise<Result> {
    if (isBusy) await new Promise<void>((resolve) => waiting.push(resolve));
    isBusy = true;
    try {
      if (kind !== 'end' && failure !== null) throw failure;
      return await write();
    } catch (error) {
      const known = toStorageError(error, `write the journal in "${location}"`);
      if (kind === 'write') failure ??= known;
      throw known;
    } finally {
      const next = waiting.shift();
      if (next === undefined) isBusy = false;
      else next();
    }
  }

  return {
    add: (write) => run('write', write),
    addAlone: (write) => run('alone', write),
    addEnd: (write) => run('end', write),
    goOn: () => {
      if (!isOver) failure = null;
    },
    end: (reason) => {
      isOver = true;
      void run('end', async () => {
        failure = reason;
      });
    },
  };
}
