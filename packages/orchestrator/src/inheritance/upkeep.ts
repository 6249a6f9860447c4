import type { StorageUpkeep } from '@agent/run-store';
import type { Environment, RunLogger } from '../host/ports.ts';

export interface UpkeepOptions {
  readonly storage: { readonly upkeep: Pick<StorageUpkeep, 'cleanUp'> };
  /** Days for which data of ended runs is stored. */
  readonly retentionDays: number;
  /** Removes what ended runs left in the workspaces' directory, by the milliseconds since 1970 that it has to be older than. */
  readonly removeEndedWork: (before: number) => Promise<unknown>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly logger: RunLogger;
}

/** Keeps what is kept of runs in order beside the work. */
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
        .catch((error: unknown) => logger.error({ err: error }, 'failed to remove expired runs'));
    },
    settle: () => working,
  };
}

async function cleanUp({
  storage,
  retentionDays: keepDays,
  removeEndedWork,
  now,
}: UpkeepOptions): Promise<void> {
  await storage.upkeep.cleanUp({ keepDays });
  await removeEndedWork(now() - keepDays * dayMs);
}

export interface RemoveExpiredWorkOptions {
  /** Directory of the workspaces. */
  readonly workspaces: string;
  /** Lists the runs that are kept, as a `RunReader` does. */
  readonly listKept: () => Promise<ReadonlySet<string>>;
  readonly environment: Environment;
  readonly logger: RunLogger;
}

/**
 * Removes worktrees, starts and branches of runs that are kept nowhere any more, and commits that no worktree is at, when
 * nobody touched them since a moment; and what set-ups left that nobody used since.
 *
 * @param before milliseconds since 1970
 */
export async function removeExpiredWork(options: RemoveExpiredWorkOptions, before: number): Promise<void> {
  const { workspaces, listKept, environment, logger } = options;
  const { removeEndedWork, removeOldSetups } = await import('@agent/workspace');
  await removeOldSetups({ directory: workspaces, before });
  const kept = await listKept();
  const gone = await removeEndedWork({
    directory: workspaces,
    environment,
    mayGo: ({ uuid, changedAt }) => changedAt < before && !kept.has(uuid),
    commitsBefore: before,
  });
  if (gone.length > 0) logger.info({ runs: gone.length }, 'removed worktrees of expired runs');
}
