import { ContextStoreError } from '../../context-store-error.ts';
import type { ControlVerb, Pause } from '../../controls/run-controls.ts';
import type { Json } from '../../journal-model.ts';
import { createLocalSignals } from '../../local-signals.ts';
import type { Ownership } from '../../ports.ts';
import { SpendingBook } from '../../spending/spending-book.ts';
import type { KeptSnapshot, StorageSignals } from '../../storage.ts';
import type { MemoryRun } from './memory-run.ts';

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
