import { ContextStoreError, toStorageError } from '../context-store-error.ts';
import { checkJournalEvent, checkRunEnd, type MessageLike } from '../journal-model.ts';
import { toJournalFiles } from '../places.ts';
import type { FileRunJournal, Outbox, RecordDamage, RecordPosition } from '../ports.ts';
import { intentFacts, isUnknownIntent, requireIntent, toSettled } from '../record/outbox-ledger.ts';
import type { Json } from '../run-model.ts';
import { createWriter, type FileRunJournalOptions } from './journal-writer.ts';
import { loadJournal } from './load-journal.ts';
import { readJournal } from './read-journal.ts';

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
  readonly damage: RecordDamage | null;
  readonly outbox: Outbox;
  readonly position: () => RecordPosition;
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
  const { parseMessage, logger = null, now = Date.now, owner = null } = options;
  const timestamp = () => new Date(now()).toISOString();
  const files = toJournalFiles(directory);
  const loading = loadJournal(files, { parseMessage, logger, owner: owner?.number ?? null, timestamp });
  const counters = await loading.catch((error: unknown) => {
    throw toStorageError(error, `open the journal in "${directory}"`);
  });
  const { lastSeq, lastStepSeq, damage } = counters;
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
    finish: async (end, { intents = [] } = {}) => {
      checkRunEnd(end);
      const required = intents.map(requireIntent);
      return queue.addEnd(translated(() => writer.finish(end, required)));
    },
  };
  const ledger = counters.outbox;
  const outbox: Outbox = {
    open: async (intent) => {
      const data: Json = { ...requireIntent(intent) };
      await queue.add(
        translated(async () => {
          if (ledger.find(intent.id) === undefined) await writer.appendFact(intentFacts.opened, data);
        }),
      );
    },
    settle: async (id, result) => {
      const data = toSettled(id, result);
      await queue.add(async () => undefined);
      if (ledger.find(id) === undefined) throw isUnknownIntent(id);
      await queue.add(
        translated(async () => {
          if (ledger.find(id)?.state === 'open') await writer.appendFact(intentFacts.settled, data);
        }),
      );
    },
    list: () => queue.add(async () => ledger.list()),
  };
  const settle = () => queue.addEnd(writer.settle);
  const retire = () => {
    queue.add(() => Promise.reject(wasOpenedAgain(directory))).catch(() => undefined);
    return settle();
  };
  return { journal, lastSeq, lastStepSeq, damage, outbox, position: writer.position, settle, retire };
}

function wasOpenedAgain(directory: string): ContextStoreError {
  const message = `The run in "${directory}" was opened again since, and two journals would number their lines alike. Write to the one that was opened last.`;
  return new ContextStoreError(message, { code: 'invalid' });
}

/** Carries writes out one after the other; after one that failed, nothing is written any more but the end. */
interface WriteQueue {
  /** Rejects with the first failure, from then on always. */
  readonly add: <Result>(write: () => Promise<Result>) => Promise<Result>;
  /** Waits for what was added before, and writes whether that succeeded or not. */
  readonly addEnd: (write: () => Promise<void>) => Promise<void>;
}

function createWriteQueue(): WriteQueue {
  // A rejected tail rejects everything that is chained to it: that is what keeps a hole out of the file.
  let tail: Promise<unknown> = Promise.resolve();
  return {
    add: (write) => {
      const result = tail.then(write);
      tail = result;
      tail.catch(() => undefined);
      return result;
    },
    addEnd: (write) => tail.then(write, write),
  };
}
