import { ContextStoreError } from '../../context-store-error.ts';
import type { ControlVerb, Pause } from '../../controls/run-controls.ts';
import { createCrashCounter } from '../../journal/count-crashes.ts';
import type { HistoryEntry } from '../../journal/read-journal.ts';
import type {
  FactEntry,
  JournalEvent,
  Json,
  MessageEntry,
  MessageLike,
  RunSummary,
} from '../../journal-model.ts';
import { formatMessage } from '../../lines/message-line.ts';
import { sealLine } from '../../lines/record-line.ts';
import type { RunOutcome } from '../../lines/run-documents.ts';
import { toFinalSummaryLine, toSummaryLine } from '../../lines/summary-line.ts';
import type { TaskState } from '../../lines/task-state.ts';
import { parseToolLine, toToolLine } from '../../lines/tool-line.ts';
import { createLocalSignals } from '../../local-signals.ts';
import type { Ownership, RecordPosition } from '../../ports.ts';
import { createOutboxLedger } from '../../record/outbox-ledger.ts';
import type { FinalSummaryState, NewFinalSummary, RunMetadata, RunPlace } from '../../run-model.ts';
import { SpendingBook } from '../../spending/spending-book.ts';
import type { KeptSnapshot, StorageSignals } from '../../storage.ts';

/** A place for runs in memory. Several stores can share one, as several processes share a directory. */
export interface MemoryPlace {
  /**
   * Makes the caller the owner, once the writes of the owner before are done: in memory nobody is asked whether they
   * still live.
   */
  readonly acquireOwnership: () => Promise<Ownership>;
  /** Makes the next write of a line fail, before or after it was carried out. */
  readonly failNext: (when: 'before' | 'after') => void;
  /** Runs by uuid: for the store and the reader. */
  readonly runs: Map<string, MemoryRun>;
  /** Carries a write out, unless it is to fail. */
  readonly write: <Result>(act: () => Result) => Result;
  /** All that is kept beside the runs: for the storage. */
  readonly beside: MemoryBeside;
}

interface MemoryBeside {
  readonly members: Set<Ownership>;
  readonly notes: Map<string, Json>;
  /** By the uuids of runs. */
  readonly snapshots: Map<string, KeptSnapshot>;
  /** By the uuids of runs. */
  /** Verbs that were asked of a run, each with the name of who asked. */
  readonly requests: Map<string, ReadonlyMap<ControlVerb, string | null>>;
  readonly signals: StorageSignals;
  readonly spending: SpendingBook;
  pause: Pause | null;
}

/**
 * Makes an empty place.
 *
 * @example
 * const place = createMemoryPlace();
 * const owner = await place.acquireOwnership();
 * const store = createMemoryRunStore({ place, owner });
 */
export function createMemoryPlace(): MemoryPlace {
  const writes = new Set<Promise<unknown>>();
  let highest = 0;
  let fault: 'before' | 'after' | null = null;
  return {
    runs: new Map(),
    beside: {
      members: new Set(),
      notes: new Map(),
      snapshots: new Map(),
      requests: new Map(),
      signals: createLocalSignals(),
      spending: new SpendingBook(),
      pause: null,
    },
    acquireOwnership: async () => {
      while (writes.size > 0) await Promise.allSettled(writes);
      highest += 1;
      return own(highest, { writes, readHighest: () => highest });
    },
    failNext: (when) => {
      fault = when;
    },
    write: (act) => {
      const failed = fault;
      fault = null;
      const refused = new ContextStoreError('This write was to fail.', { code: 'storage-failed' });
      if (failed === 'before') throw refused;
      const result = act();
      if (failed === 'after') throw refused;
      return result;
    },
  };
}

interface OwnersView {
  /** Guarded writes under way. */
  readonly writes: Set<Promise<unknown>>;
  /** The number that stands. */
  readonly readHighest: () => number;
}

function own(number: number, { writes, readHighest }: OwnersView): Ownership {
  const lost = new AbortController();
  let isReleased = false;
  const requireOwned = () => {
    if (isReleased) throw new ContextStoreError('The place was given back.', { code: 'invalid' });
    if (number === readHighest()) return;
    const message = `Owner ${readHighest()} has taken the place from owner ${number}.`;
    if (!lost.signal.aborted) lost.abort(new ContextStoreError(message, { code: 'owned' }));
    throw lost.signal.reason;
  };
  return {
    number,
    requireOwned,
    lost: lost.signal,
    guard: async (write) => {
      requireOwned();
      const written = Promise.resolve().then(write);
      writes.add(written);
      return written.finally(() => writes.delete(written));
    },
    release: async () => {
      isReleased = true;
    },
  };
}

/** A value as JSON carries it: whoever gave it may change it afterwards, and so may whoever reads it. */
export function copyJson<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value;
}

/** All that is kept of a run in memory. Who writes asks the place first. */
export class MemoryRun {
  readonly metadata: RunMetadata;
  place: RunPlace = 'running';
  outcome: RunOutcome | null = null;
  pause: TaskState | null = null;
  /** True once later runs may find it, if it has ended. */
  isIndexed = false;
  /** Messages, summaries, tools' lines and the caller's facts, in their order. */
  readonly entries: HistoryEntry<MessageLike>[] = [];
  readonly values = new Map<string, Json>();
  /** Lines for later runs, in the fields of the seeds. */
  readonly lines = { tools: [] as object[], summaries: [] as object[] };
  readonly outbox = createOutboxLedger();
  readonly crashes = createCrashCounter();
  position: RecordPosition = { line: 0, check: '' };
  readonly #tokens: number[] = [];
  readonly #finals: { readonly endSeq: number; readonly usage: NewFinalSummary['usage'] }[] = [];

  constructor(metadata: RunMetadata) {
    this.metadata = metadata;
  }

  /** Moves the position on by a line that says this. */
  addLine(line: object, owner: number | null): void {
    const { check } = sealLine(JSON.stringify(line), { previous: this.position.check, owner });
    this.position = { line: this.position.line + 1, check };
  }

  /** Adds a fact of the store itself. */
  addFact(fact: FactEntry): void {
    this.outbox.apply(fact);
    this.crashes.addFact(fact);
  }

  /** Resolves the number that `append` does. */
  addEvent(event: JournalEvent<MessageLike>, timestamp: string): number {
    if (event.type === 'message')
      return this.#addMessage(copyJson({ ...event, seq: this.#nextSeq, timestamp }));
    if (event.type === 'fact') {
      this.entries.push(copyJson({ ...event, timestamp }));
      return this.position.line;
    }
    const seq = this.lines.tools.length + 1;
    const line = copyJson({ ...toToolLine(event, seq), timestamp });
    this.lines.tools.push(line);
    this.entries.push(parseToolLine(line));
    return seq;
  }

  #addMessage(entry: MessageEntry<MessageLike>): number {
    this.crashes.addMessage(() => entry);
    this.#tokens.push(formatMessage(entry, entry).tokens);
    this.entries.push(entry);
    return entry.seq;
  }

  get #nextSeq(): number {
    return this.#tokens.length + 1;
  }

  /** Adds a summary that stands for some of the messages. */
  addSummary(summary: RunSummary, timestamp: string): void {
    const place = this.#summaryPlace(summary);
    this.lines.summaries.push({ ...toSummaryLine(summary, place), timestamp });
    this.entries.push({ type: 'summary', summary: copyJson(summary) });
  }

  /** Adds the summary of all messages, for later runs. */
  addFinalSummary(summary: NewFinalSummary, timestamp: string): void {
    const endSeq = this.#tokens.length;
    const place = this.#summaryPlace({ startSeq: 1, endSeq });
    this.lines.summaries.push(copyJson({ ...toFinalSummaryLine(summary, place), timestamp }));
    this.#finals.push({ endSeq, usage: summary.usage });
  }

  #summaryPlace({ startSeq, endSeq }: Pick<RunSummary, 'startSeq' | 'endSeq'>) {
    const covered = this.#tokens.slice(Math.max(0, startSeq - 1), endSeq);
    const originalTokens = covered.reduce((sum, tokens) => sum + tokens, 0);
    return { id: this.lines.summaries.length + 1, afterSeq: this.#tokens.length, originalTokens };
  }

  /** Null for a run without messages. */
  readFinalSummary(): FinalSummaryState | null {
    if (this.#tokens.length === 0) return null;
    return {
      isThere: this.#finals.length > 0,
      isUpToDate: this.#finals.some(({ endSeq }) => endSeq === this.#tokens.length),
      usages: this.#finals.map(({ usage }) => usage),
    };
  }
}
