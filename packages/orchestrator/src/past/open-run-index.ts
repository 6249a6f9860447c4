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
