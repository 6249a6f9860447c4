import type { Logger } from '@agent/text';
import { ContextStoreError } from '../context-store-error.ts';
import type { Sleep } from '../disk/retry-storage.ts';
import { type RunPlacesOptions, toRunPlaces } from '../file/run-places.ts';
import { createExpiryFiles } from './expiry-files.ts';
import { toIndexPlaces } from './index-places.ts';
import type { IndexedRun, TaskIndex } from './indexed-run.ts';
import { addRun } from './merge-runs.ts';
import { createRecordKeeper } from './record-keeper.ts';
import { createTaskIndexUpkeep, type TaskIndexUpkeep } from './task-index-upkeep.ts';
import { findFault } from './task-record-file.ts';

/** Options of an index of tasks in files. */
export interface FileTaskIndexOptions extends RunPlacesOptions {
  /** How many tasks stay in memory. Default 1,000. */
  readonly maxKept?: number | undefined;
  /** For whoever looks without the lock: a damaged file is answered from the runs, and left as it is. Default false. */
  readonly readOnly?: boolean | undefined;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
  /** Waits before the disk is tried again. Default a timer. */
  readonly sleep?: Sleep | undefined;
  /** Silent by default. */
  readonly logger?: Logger | null | undefined;
}

/**
 * The index as one small lowdb file for each task: `index/ab/abcdef….json` in the base directory. Looking up reads
 * one file, however many tasks there are. Who writes holds the base directory's lock.
 * @see decision X12
 * @see acquireLock
 */
export function createFileTaskIndex(options: FileTaskIndexOptions): TaskIndex & TaskIndexUpkeep {
  const {
    maxKept = 1_000,
    readOnly = false,
    now = Date.now,
    sleep = (delayMs) => new Promise<void>((resolve) => setTimeout(resolve, delayMs)),
    logger = null,
  } = options;
  const runs = toRunPlaces(options);
  const index = toIndexPlaces(options.baseDirectory);
  const keeper = createRecordKeeper({ index, runs, maxKept, readOnly, now, sleep, logger });
  return {
    find: async ({ taskKeyHash, host }) => {
      const found = (await keeper.read(taskKeyHash)).filter((run) => run.host === host);
      logger?.debug({ taskKeyHash, host, runs: found.length }, 'looked for earlier runs of a task');
      return found;
    },
    put: async (run) => {
      const fault = findFault(run);
      if (fault !== null) throw isUnfit(run, fault);
      await keeper.change(run.taskKeyHash, (known) => addRun(known, run));
    },
    remove: ({ taskKeyHash, host }, uuid) =>
      keeper.change(taskKeyHash, (known) => known.filter((run) => run.host !== host || run.uuid !== uuid)),
    ...createTaskIndexUpkeep({ index, runs, keeper, expiry: createExpiryFiles(options), logger }),
  };
}

function isUnfit({ uuid }: IndexedRun, cause: Error): ContextStoreError {
  const message = `Run ${JSON.stringify(uuid)} cannot be put into the index: its fields do not fit.`;
  return new ContextStoreError(message, { code: 'invalid', cause });
}
