import type { Logger } from '@agent/text';
import type { ExpiryFiles } from './expiry-files.ts';
import type { TaskIndex } from './indexed-run.ts';
import { skipDamaged } from './list-task-directories.ts';
import { readIndexedRun } from './read-indexed-run.ts';

/** Puts the run that ended in this directory into the index. */
export type IndexRun = (directory: string) => Promise<void>;

/**
 * What `createFileRunStore` calls while the run still lies in `running/`: a crash before the move has the next start
 * do it again, so that no run is lost from the index, and none is in it twice. A directory that cannot be read is
 * logged: it must not keep the run from being moved. What the disk refuses is thrown, and the run waits.
 */
export function createRunIndexer(parts: {
  readonly index: Pick<TaskIndex, 'put'>;
  readonly expiry: Pick<ExpiryFiles, 'add'>;
  readonly logger?: Logger | null | undefined;
}): IndexRun {
  const { index, expiry, logger = null } = parts;
  return async (directory) => {
    const read = () => readIndexedRun(directory, { isPutAway: true });
    const run = await skipDamaged(read, { directory, logger });
    if (run === null) return;
    await index.put(run);
    await expiry.add(run);
  };
}
