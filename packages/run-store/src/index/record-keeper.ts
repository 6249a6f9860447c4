import { link, rename } from 'node:fs/promises';
import type { Logger } from '@agent/text';
import { createKeyedTurns } from '@agent/text/waiting';
import {
  ContextStoreError,
  retryStorage,
  type Sleep,
  toStorageError,
  toSystemCode,
} from '../context-store-error.ts';
import { type IndexPlaces, type RunPlaces, toRecordPath } from '../places.ts';
import { addRuns, type IndexedRun } from './indexed-run.ts';
import { listTaskDirectories, type TaskDirectory } from './list-task-directories.ts';
import { readRuns } from './read-indexed-run.ts';
import { createTaskRecords } from './task-records.ts';

/** One for the process: two indexes of one directory must not overwrite each other. */
const inTurnOf = createKeyedTurns();

type Runs = readonly IndexedRun[];

/** Reads and changes one task's record at a time, and mends what is damaged. */
export interface RecordKeeper {
  readonly read: (taskKeyHash: string) => Promise<Runs>;
  readonly change: (taskKeyHash: string, change: (runs: Runs) => Runs | Promise<Runs>) => Promise<void>;
}

interface RecordKeeperOptions {
  readonly index: IndexPlaces;
  readonly runs: RunPlaces;
  readonly maxKept: number;
  /** Leaves damaged files where they are. */
  readonly readOnly: boolean;
  readonly now: () => number;
  readonly sleep: Sleep;
  readonly logger: Logger | null;
}

export function createRecordKeeper(options: RecordKeeperOptions): RecordKeeper {
  const { index, readOnly, logger } = options;
  const records = createTaskRecords(index, options);
  const retried = <Result>(work: () => Promise<Result>) => retryStorage(work, options);

  async function load(taskKeyHash: string): Promise<Runs> {
    try {
      return (await retried(() => records.load(taskKeyHash))).runs;
    } catch (error) {
      if (ContextStoreError.isInstance(error) && error.code === 'damaged') return rebuild(taskKeyHash, error);
      throw error;
    }
  }

  async function rebuild(taskKeyHash: string, err: unknown): Promise<Runs> {
    const path = toRecordPath(index, taskKeyHash);
    logger?.error({ err, path }, 'rebuilding damaged index file');
    const runs = await readRunsOf(taskKeyHash, options);
    if (readOnly) return runs;
    await setAside(path, options.now());
    await retried(() => records.save({ taskKeyHash, runs }));
    return runs;
  }

  function locked<Result>(taskKeyHash: string, work: () => Promise<Result>): Promise<Result> {
    const path = toRecordPath(index, taskKeyHash);
    return inTurnOf(path, work).catch((error: unknown) => {
      throw toStorageError(error, `use the index of earlier runs, "${path}"`);
    });
  }

  return {
    read: async (taskKeyHash) => locked(taskKeyHash, () => load(taskKeyHash)),
    change: async (taskKeyHash, change) =>
      locked(taskKeyHash, async () => {
        const runs = await change(await load(taskKeyHash));
        await retried(() => records.save({ taskKeyHash, runs }));
      }),
  };
}

async function readRunsOf(taskKeyHash: string, { runs, logger }: RecordKeeperOptions): Promise<Runs> {
  const found: TaskDirectory[] = [];
  for await (const one of listTaskDirectories(runs, null))
    if (one.taskKeyHash === taskKeyHash) found.push(one);
  return addRuns([], await readRuns(found, logger));
}

/** The damaged file also stays in its place until a whole one replaces it: a crash in between must not lose the runs. */
async function setAside(path: string, nowMs: number): Promise<void> {
  const aside = `${path}.corrupt-${new Date(nowMs).toISOString().replaceAll(':', '-')}`;
  await link(path, aside).catch((error: unknown) => {
    if (toSystemCode(error) === 'ENOENT') return;
    return rename(path, aside);
  });
}
