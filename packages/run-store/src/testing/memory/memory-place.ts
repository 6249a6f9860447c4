import { ContextStoreError } from '../../context-store-error.ts';
import type { Ownership } from '../../ports.ts';
import type { MemoryRun } from './memory-run.ts';

/** A place for runs in memory. Several stores can share one, as several processes share a directory. */
export interface MemoryPlace {
  /** Makes the caller the owner, whoever was it before: in memory nobody is asked whether they still live. */
  readonly acquireOwnership: () => Ownership;
  /** Makes the next write of a line fail, before or after it was carried out. */
  readonly failNext: (when: 'before' | 'after') => void;
  /** Runs by uuid: for the store and the reader. */
  readonly runs: Map<string, MemoryRun>;
  /** Carries a write out, unless it is to fail. */
  readonly write: <Result>(act: () => Result) => Result;
}

/**
 * Makes an empty place.
 *
 * @example
 * const place = createMemoryPlace();
 * const owner = place.acquireOwnership();
 * const store = createMemoryRunStore({ place, owner });
 */
export function createMemoryPlace(): MemoryPlace {
  let highest = 0;
  let fault: 'before' | 'after' | null = null;
  return {
    runs: new Map(),
    acquireOwnership: () => {
      highest += 1;
      return own(highest, () => highest);
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

function own(number: number, readHighest: () => number): Ownership {
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
      return write();
    },
    release: async () => {
      isReleased = true;
    },
  };
}
