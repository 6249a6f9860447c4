import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunLogger } from '../ports.ts';

export interface RemoveExpiredWorkOptions {
  readonly directories: { readonly contexts: string; readonly paused: string; readonly workspaces: string };
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
  const { directories, environment, logger } = options;
  const { removeEndedWork } = await import('@agent/workspace');
  const kept = await listKept(directories);
  const gone = await removeEndedWork({
    directory: directories.workspaces,
    environment,
    mayGo: ({ uuid, changedAt }) => changedAt < before && !kept.has(uuid),
    commitsBefore: before,
  });
  if (gone.length > 0)
    logger.info({ runs: gone.length }, 'removed worktrees of runs that ended too long ago');
}

/** Runs move from one directory to the next, and a paused one back: whoever is looked for twice is seen. */
async function listKept({
  contexts,
  paused,
}: {
  readonly contexts: string;
  readonly paused: string;
}): Promise<ReadonlySet<string>> {
  const kept = new Set<string>();
  const places = [paused, join(contexts, 'running'), join(contexts, 'completed')];
  for (const place of [...places, ...places]) for (const name of await listNames(place)) kept.add(name);
  return kept;
}

async function listNames(directory: string): Promise<readonly string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return [];
    throw error;
  }
}
