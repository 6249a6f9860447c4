import type { TaskIndex } from '@agent/run-store';
import type { ExpiryFiles, IndexRun } from '@agent/run-store/file';
import type { RunLogger } from '../ports.ts';

/** The index of the runs that ended, in step with their directories. */
export interface RunIndex {
  readonly index: TaskIndex;
  readonly expiry: ExpiryFiles;
  /** Puts a run that ended into both. */
  readonly indexRun: IndexRun;
}

export interface RunIndexOptions {
  readonly baseDirectory: string;
  readonly pausedDirectory: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly logger: RunLogger;
}

/**
 * Opens the index at the first call, for all that follow: a start that finds no work spends nothing on it before it
 * looks. It is healed before anybody reads or writes in it; where that fails, what it has is better than nothing.
 * Only for the owner of the directory.
 */
export function openRunIndex(options: RunIndexOptions): () => Promise<RunIndex> {
  let opening: Promise<RunIndex> | null = null;
  return () => {
    opening ??= open(options);
    return opening;
  };
}

async function open(options: RunIndexOptions): Promise<RunIndex> {
  const { createExpiryFiles, createFileTaskIndex, createRunIndexer } = await import('@agent/run-store/file');
  const { logger } = options;
  const index = createFileTaskIndex(options);
  const expiry = createExpiryFiles(options);
  try {
    const added = await index.heal();
    if (added > 0) logger.info({ runs: added }, 'added runs to the index that were missing in it');
  } catch (error) {
    logger.error({ err: error }, 'the index of earlier runs could not be checked');
  }
  return { index, expiry, indexRun: createRunIndexer({ index, expiry, logger }) };
}

export interface UpkeepOptions extends RunIndexOptions {
  readonly openIndex: () => Promise<RunIndex>;
  /** Days of the configuration; the longer of the two counts (X8). */
  readonly days: { readonly cleanupDays: number; readonly contextExpiryDays: number };
  /** Removes what ended runs left in the workspaces' directory, by the milliseconds since 1970 that it has to be older than. */
  readonly removeEndedWork: (before: number) => Promise<unknown>;
  readonly logger: RunLogger;
}

/** Keeps the directory of runs in order beside the work. */
export interface Upkeep {
  /** Heals the index and removes expired runs, in the background: at the first call, then once a day. Never throws. */
  readonly begin: () => void;
  /** Resolves when nothing of it is under way. */
  readonly settle: () => Promise<void>;
}

const dayMs = 86_400_000;

/** @see seed 002 §8.2 */
export function createUpkeep(options: UpkeepOptions): Upkeep {
  const { now, logger } = options;
  let begunAt: number | null = null;
  let working = Promise.resolve();
  return {
    begin: () => {
      if (begunAt !== null && now() - begunAt < dayMs) return;
      begunAt = now();
      working = working
        .then(() => cleanUp(options))
        .catch((error: unknown) => logger.error({ err: error }, 'expired runs could not be removed'));
    },
    settle: () => working,
  };
}

async function cleanUp({ openIndex, days, now, removeEndedWork, ...options }: UpkeepOptions): Promise<void> {
  const { index, expiry } = await openIndex();
  const { cleanUpRuns, toKeepDays } = await import('@agent/run-store/file');
  const keepDays = toKeepDays(days);
  await cleanUpRuns({ ...options, index, expiry, now: new Date(now()), keepDays });
  await removeEndedWork(now() - keepDays * dayMs);
}

export interface RemoveExpiredWorkOptions {
  /** Directory of the workspaces. */
  readonly workspaces: string;
  /** Lists the runs that are kept, as a `RunReader` does. */
  readonly listKept: () => Promise<ReadonlySet<string>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly logger: RunLogger;
}

/**
 * Removes worktrees, starts and branches of runs that are kept nowhere any more, and commits that no worktree is at, when
 * nobody touched them since a moment.
 *
 * @param before milliseconds since 1970
 */
export async function removeExpiredWork(options: RemoveExpiredWorkOptions, before: number): Promise<void> {
  const { workspaces, listKept, environment, logger } = options;
  const { removeEndedWork } = await import('@agent/workspace');
  const kept = await listKept();
  const gone = await removeEndedWork({
    directory: workspaces,
    environment,
    mayGo: ({ uuid, changedAt }) => changedAt < before && !kept.has(uuid),
    commitsBefore: before,
  });
  if (gone.length > 0)
    logger.info({ runs: gone.length }, 'removed worktrees of runs that ended too long ago');
}
