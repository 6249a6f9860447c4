import { ContextStoreError } from '../../context-store-error.ts';
import { checkJournalEvent, checkRunEnd, type Json, type MessageLike } from '../../journal-model.ts';
import { requireStateName, toStateValue } from '../../lines/state-name.ts';
import type { FileRunJournal, FinalSummaries, Outbox, RunState } from '../../ports.ts';
import { intentFacts, requireIntent, toSettled } from '../../record/outbox-ledger.ts';
import { copyJson, type MemoryPlace, type MemoryRun } from './memory-place.ts';
import { readMemoryJournal } from './memory-run-reader.ts';

/** Options of all writers of a store. */
export interface MemoryWriterOptions {
  readonly place: MemoryPlace;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Number of the owner that writes; null for none. */
  readonly owner: number | null;
}

/** One opening of a run: after a write that failed, or once the run was opened again, it takes the end alone. */
export class MemoryWriter {
  readonly run: MemoryRun;
  readonly #options: MemoryWriterOptions;
  #failure: unknown = null;
  #isRetired = false;

  constructor(run: MemoryRun, options: MemoryWriterOptions) {
    this.run = run;
    this.#options = options;
  }

  /** Refuses all but the end from now on. */
  retire(): void {
    const message = `Run ${this.run.metadata.uuid} was moved or opened again since. Write to the journal that was opened last.`;
    this.#failure = new ContextStoreError(message, { code: 'owned' });
    this.#isRetired = true;
  }

  /** Takes everything again, once the end is written. */
  goOn(): void {
    if (!this.#isRetired) this.#failure = null;
  }

  /** Adds a line; `apply` is what it changes. */
  write<Result>(line: object, apply: (timestamp: string) => Result): Result {
    if (this.#failure !== null) throw this.#failure;
    try {
      return this.writeEnd(line, apply);
    } catch (error) {
      this.#failure = error;
      throw error;
    }
  }

  /** The same for what is taken even after a failure. */
  writeEnd<Result>(line: object, apply: (timestamp: string) => Result): Result {
    const { place, now, owner } = this.#options;
    const timestamp = new Date(now()).toISOString();
    return place.write(() => {
      this.run.addLine({ ...line, timestamp }, owner);
      return apply(timestamp);
    });
  }

  /** Adds a fact of the store; `apply` is what it changes besides. */
  readonly writeFact = (name: string, data: Json, apply?: (timestamp: string) => void): void => {
    this.write({ fact: name, data }, (timestamp) => {
      this.run.addFact({ type: 'fact', name, data, timestamp });
      apply?.(timestamp);
    });
  };
}

/** The journal of an opening. `newest` is where its end goes. */
export function createMemoryJournal<Message extends MessageLike>(
  writer: MemoryWriter,
  newest: () => MemoryWriter,
): FileRunJournal<Message> {
  const { run } = writer;
  return {
    append: async (event) => {
      checkJournalEvent(event);
      return writer.write(event, (timestamp) => run.addEvent(event, timestamp));
    },
    read: () => readMemoryJournal<Message>(run),
    replaceContext: async (_, summary) =>
      writer.write(summary, (timestamp) => run.addSummary(summary, timestamp)),
    finish: async (end, { intents = [] } = {}) => {
      checkRunEnd(end);
      const data = copyJson({ intents: intents.map(requireIntent) }) as unknown as Json;
      const last = newest();
      last.writeEnd(end, (timestamp) => {
        run.outcome = copyJson({ ...end, finishedAt: timestamp });
        run.addFact({ type: 'fact', name: intentFacts.ended, data, timestamp });
      });
      last.goOn();
    },
  };
}

export function createMemoryOutbox(writer: MemoryWriter): Outbox {
  const { outbox } = writer.run;
  return {
    open: async (intent) => {
      const data = copyJson({ ...requireIntent(intent) });
      if (outbox.find(intent.id) === undefined) writer.writeFact(intentFacts.opened, data);
      return copyJson(outbox.get(intent.id));
    },
    settle: async (id, result) => {
      const data = copyJson(toSettled(id, result));
      if (outbox.get(id).state === 'open') writer.writeFact(intentFacts.settled, data);
    },
    list: async () => copyJson(outbox.list()),
  };
}

interface StateWriter extends Pick<MemoryWriter, 'writeFact'> {
  readonly run: Pick<MemoryRun, 'values'>;
}

/** The state of the run that `open` gives, each time anew. */
export function createMemoryState(open: () => StateWriter): RunState {
  return {
    read: async (name) => {
      requireStateName(name);
      return copyJson(open().run.values.get(name) ?? null);
    },
    write: async (name, value, { sync = true } = {}) => {
      requireStateName(name);
      const kept = toStateValue(name, value);
      const { run, writeFact } = open();
      const keep = () => void run.values.set(name, kept);
      if (sync) writeFact('state', { name, value: kept }, keep);
      else keep();
    },
  };
}

/**
 * The state of a run in memory, without the rest of it: for tests of what is kept there.
 *
 * @example
 * const state = createMemoryRunState({ 'plan.json': { step: 2 } });
 */
export function createMemoryRunState(values: Readonly<Record<string, Json>> = {}): RunState {
  const run = { values: new Map(Object.entries(values)) };
  return createMemoryState(() => ({ run, writeFact: (_name, _data, keep) => keep?.('') }));
}

export function createMemorySummaries(writer: MemoryWriter): FinalSummaries {
  const { run } = writer;
  return {
    read: async () => run.readFinalSummary(),
    append: async (summary, { now }) =>
      writer.write(summary, () => run.addFinalSummary(summary, new Date(now).toISOString())),
  };
}
