import type { Logger } from '@agent/text';
import type { IndexRun } from '../index/read-indexed-run.ts';
import type { MessageLike } from '../journal-model.ts';
import { guardStore } from '../ownership/guard-store.ts';
import { isOptionMissing, type RunPlacesOptions, toRunPlaces } from '../places.ts';
import type { RecordOwner, WholeRunStore } from '../ports.ts';
import { createRunStore } from '../store/create-run-store.ts';
import { FileRunDriver } from './file-run-driver.ts';
import type { SyncedWrite } from './taken-directory.ts';

/** Options of a store in files. */
export interface FileRunStoreOptions<Message> extends RunPlacesOptions {
  /** Checks a message that comes back from disk; throws for one that is none. */
  readonly parseMessage: (json: unknown) => Message;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
  /** Silent by default. */
  readonly logger?: Logger | null | undefined;
  /** Name of this machine, as `metadata.json` keeps it. Default the system's. */
  readonly hostname?: string | undefined;
  /** Default this process's. */
  readonly processId?: number | undefined;
  /**
   * Opens what puts a run that ended into the index, see `createRunIndexer`; asked for at the first end. A run is put
   * in before its directory is moved, and again when a crash kept it from being moved. What it throws leaves the run in
   * `running/`. Default none.
   */
  readonly openIndex?: (() => Promise<{ readonly indexRun: IndexRun }>) | undefined;
  /** Owner of the directory: its number stands in each line, and its guard lets no earlier owner write. Default none. */
  readonly owner?: RecordOwner | null | undefined;
  /** Called after each write that reached the disk, before the caller hears of it. */
  readonly afterSync?: ((write: SyncedWrite) => void) | undefined;
}

/**
 * Runs as directories under one base: `running/{uuid}` while they run, `paused/{uuid}` while they wait,
 * `completed/{uuid}` when they ended. Who writes with it owns the base directory.
 * @throws {ContextStoreError} `invalid`, naming an option that is missing
 * @see seed 002 §2.1
 * @see acquireOwnership
 *
 * @example
 * const store = createFileRunStore({ baseDirectory, parseMessage });
 * const { journal } = await store.open(newRun);
 * await journal.append({ type: 'message', message, usage: null, delivers: [] });
 */
export function createFileRunStore<Message extends MessageLike>(
  options: FileRunStoreOptions<Message>,
): WholeRunStore<Message> {
  const places = toRunPlaces(options);
  if (typeof options.parseMessage !== 'function') throw isOptionMissing('parseMessage', 'a function');
  const store = createRunStore(new FileRunDriver(places, options), options);
  return options.owner == null ? store : guardStore(store, options.owner.guard);
}
