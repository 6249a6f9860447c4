import type { MessageLike } from '../../journal-model.ts';
import { guardStore } from '../../ownership/guard-store.ts';
import type { RecordOwner, WholeRunStore } from '../../ports.ts';
import { createRunStore } from '../../store/create-run-store.ts';
import { MemoryRunDriver } from './memory-driver.ts';
import { createMemoryPlace, type MemoryPlace } from './memory-place.ts';
import { takeMessage } from './memory-run.ts';

/** Options of a store in memory. */
export interface MemoryRunStoreOptions {
  /** Default one of its own. */
  readonly place?: MemoryPlace | undefined;
  /** Owner of the place, whose writes are refused once another one took it. Default none. */
  readonly owner?: RecordOwner | null | undefined;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
}

/**
 * Runs in memory, for tests: it passes `runStoreContract`, as the store in files does, and leaves nothing behind.
 * Messages come back as JSON carries them.
 *
 * @example
 * const store = createMemoryRunStore<Message>();
 * const { journal } = await store.open(newRun);
 * await journal.append({ type: 'message', message, usage: null, delivers: [] });
 */
export function createMemoryRunStore<Message extends MessageLike>(
  options: MemoryRunStoreOptions = {},
): WholeRunStore<Message> {
  const { place = createMemoryPlace(), owner = null, now = Date.now } = options;
  const driver = new MemoryRunDriver({ place, now, owner: owner?.number ?? null });
  const store = createRunStore<Message>(driver, { parseMessage: takeMessage, now, hostname: 'memory' });
  return owner === null ? store : guardStore(store, owner.guard);
}
