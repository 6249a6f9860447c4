import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '@agent/text';
import { checkOptions, type ExpectationsOf, expected, expectNumber } from '@agent/text/options';
import { ContextStoreError, type Sleep, translated } from '../context-store-error.ts';
import { listEntries, privateDirectory, readFileIfThere, replaceFile } from '../disk/files.ts';
import { isRunDirectory } from '../disk/run-directories.ts';
import {
  type IndexPlaces,
  placesExpectations,
  type RunPlaces,
  type RunPlacesOptions,
  toIndexPlaces,
  toRunPlaces,
} from '../places.ts';
import { hashTaskKey, isTaskKeyHash, isUuid } from '../storage-names.ts';
import { createExpiryFiles, type ExpiryFiles } from './expiry-files.ts';
import { addRuns, type IndexedRun, type TaskIndex } from './indexed-run.ts';
import { listTaskDirectories, type TaskDirectory } from './list-task-directories.ts';
import { readRuns } from './read-indexed-run.ts';
import { listRecentRuns } from './recent-runs.ts';
import { createRecordKeeper, type RecordKeeper } from './record-keeper.ts';
import { findFault, indexVersion } from './task-record-file.ts';

/** Options of an index of tasks in files. */
export interface FileTaskIndexOptions extends RunPlacesOptions {
  /** Tasks that stay in memory. Default 1,000. */
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

const expectations: ExpectationsOf<FileTaskIndexOptions> = {
  ...placesExpectations,
  maxKept: expectNumber(0),
  readOnly: expected.flag,
  now: expected.function,
  sleep: expected.function,
  logger: expected.logger,
};

/**
 * The index as one small lowdb file for each task: `index/ab/abcdef….json` in the base directory. Looking up reads
 * one file, however many tasks there are. Who writes holds the base directory's lock.
 * @see decision X12
 * @see acquireOwnership
 */
export function createFileTaskIndex(options: FileTaskIndexOptions): TaskIndex & TaskIndexUpkeep {
  checkOptions('FileTaskIndexOptions', options, expectations, ['baseDirectory']);
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
      logger?.debug({ taskKeyHash, host, runs: found.length }, 'looked up earlier runs');
      return found;
    },
    put: async (run) => {
      const fault = findFault(run);
      if (fault !== null) throw isUnfit(run, fault);
      await keeper.change(run.taskKeyHash, (known) => addRuns(known, [run]));
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

/** Runs that are looked up at a start, of those that ended last. */
const checkedRuns = 50;

/** Keeps the index in step with the directories of runs, which are the truth. */
export interface TaskIndexUpkeep {
  /**
   * To be called at a start, by the owner of the directory: builds the index when it was never built or was removed,
   * and otherwise adds what is missing of the 50 runs that ended last. Resolves with how many runs were added.
   */
  readonly heal: () => Promise<number>;
  /** Builds the index anew from every directory; what has no directory any more is forgotten. Safe to repeat. */
  readonly rebuild: () => Promise<number>;
}

interface TaskIndexUpkeepParts {
  readonly index: IndexPlaces;
  readonly runs: RunPlaces;
  readonly keeper: RecordKeeper;
  readonly expiry: ExpiryFiles;
  readonly logger: Logger | null;
}

function createTaskIndexUpkeep(parts: TaskIndexUpkeepParts): TaskIndexUpkeep {
  const { index, runs, keeper, expiry, logger } = parts;

  async function rebuild(): Promise<number> {
    // Until the end it counts as not built: a crash in between has it built again.
    await rm(index.built, { force: true });
    await rm(index.expiry, { recursive: true, force: true });
    logger?.info({ index: index.root }, 'building run index');
    const tasks = await listTasks(runs, logger);
    let count = 0;
    for (const [taskKeyHash, directories] of tasks) {
      const found = await readRuns(directories, logger);
      await keeper.change(taskKeyHash, async (known) => addRuns(await keepExisting(known, runs), found));
      for (const run of found) await expiry.add(run);
      count += found.length;
    }
    for (const taskKeyHash of await listIndexed(index)) {
      if (!tasks.has(taskKeyHash)) await keeper.change(taskKeyHash, (known) => keepExisting(known, runs));
    }
    await mkdir(index.root, { recursive: true, mode: privateDirectory });
    await replaceFile(index.built, builtMark);
    logger?.info({ index: index.root, runs: count }, 'built run index');
    return count;
  }

  async function heal(): Promise<number> {
    await rm(index.making, { recursive: true, force: true });
    const built = await readFileIfThere(index.built);
    if (built !== builtMark) return rebuild();
    let added = 0;
    const recent = await listRecentRuns(runs.recent, checkedRuns);
    const tasks = Map.groupBy(recent.runs, ({ taskKeyText }) => hashTaskKey(taskKeyText));
    for (const [taskKeyHash, ended] of tasks) {
      const known = new Set((await keeper.read(taskKeyHash)).map(({ uuid }) => uuid));
      const missing = ended.filter(({ uuid }) => isUuid(uuid) && !known.has(uuid));
      const directories = missing.map(({ uuid }) => ({
        directory: join(runs.completed, uuid),
        place: 'completed' as const,
      }));
      const found = await readRuns(directories, logger);
      if (found.length === 0) continue;
      await keeper.change(taskKeyHash, (others) => addRuns(others, found));
      for (const run of found) await expiry.add(run);
      added += found.length;
    }
    return added;
  }

  return {
    heal: () => translated(heal(), `check the index "${index.root}"`),
    rebuild: () => translated(rebuild(), `build the index "${index.root}"`),
  };
}

/** Text of the file that marks an index as built. An index with another mark is made again from the runs. */
const builtMark = `${JSON.stringify({ version: indexVersion })}\n`;

async function listTasks(runs: RunPlaces, logger: Logger | null) {
  const found: TaskDirectory[] = [];
  for await (const one of listTaskDirectories(runs, logger))
    if (isTaskKeyHash(one.taskKeyHash)) found.push(one);
  return Map.groupBy(found, ({ taskKeyHash }) => taskKeyHash);
}

/** Without the runs whose directories are gone. A place that is missing as a whole may only be unmounted (decision C5). */
async function keepExisting(known: readonly IndexedRun[], runs: RunPlaces): Promise<readonly IndexedRun[]> {
  if (!(await isRunDirectory(runs.completed))) return known;
  const kept: IndexedRun[] = [];
  for (const run of known) {
    const parents = [runs.completed, runs.running, runs.paused];
    const isThere = await Promise.all(parents.map((parent) => isRunDirectory(join(parent, run.uuid))));
    if (isThere.includes(true)) kept.push(run);
  }
  return kept;
}

/** Hashes of the tasks that have a file. */
export async function listIndexed({ root }: IndexPlaces): Promise<readonly string[]> {
  const names = await listEntries(root, { recursive: true });
  return names.flatMap((name) => /^[0-9a-f]{2}[/\\]([0-9a-f]{64})\.json$/.exec(name)?.[1] ?? []);
}
