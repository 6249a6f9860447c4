import type { Logger } from '@agent/text';
import type { RunPlacesOptions } from '../places.ts';
import { createExpiryFiles, type ExpiryFiles } from './expiry-files.ts';
import { createFileTaskIndex } from './file-task-index.ts';
import type { TaskIndex } from './indexed-run.ts';
import { createRunIndexer, type IndexRun } from './read-indexed-run.ts';

export { cleanUpRuns } from './expiry-files.ts';
export { createFileTaskIndex } from './file-task-index.ts';
export { purgeTask } from './purge-task.ts';

/** The index of the runs that ended, in step with their directories. */
export interface OwnedIndex {
  readonly index: TaskIndex;
  readonly expiry: ExpiryFiles;
  /** Puts a run that ended into both. */
  readonly indexRun: IndexRun;
}

/**
 * Opens the index of a directory for its owner. It is healed before anybody reads or writes in it; where that fails, what it
 * has is better than nothing.
 */
export async function openOwnedIndex(
  options: RunPlacesOptions & { readonly now: () => number; readonly logger: Logger | null },
): Promise<OwnedIndex> {
  const { baseDirectory, pausedDirectory, now, logger } = options;
  const index = createFileTaskIndex({ baseDirectory, pausedDirectory, now, logger });
  const expiry = createExpiryFiles(options);
  try {
    const added = await index.heal();
    if (added > 0) logger?.info({ runs: added }, 'added missing runs to index');
  } catch (error) {
    logger?.error({ err: error }, 'failed to check run index');
  }
  return { index, expiry, indexRun: createRunIndexer({ index, expiry, logger }) };
}
