import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { toStorageError, toSystemCode } from '../disk/storage-error.ts';
import type { DamagedRun } from '../run-model.ts';
import { isHalfMade } from './create-run-directory.ts';
import { isRunDirectory, requireUuid } from './run-directory.ts';

export interface FoundRuns<Found> {
  readonly found: readonly Found[];
  readonly damaged: readonly DamagedRun[];
}

/**
 * Reads every run of a directory of runs, and reports what cannot be read, whatever the reason: one of them must
 * not hide the others. `read` gives null for what is to be left out. Names that no run can have, links and files
 * are damage.
 */
export async function readRunDirectories<Found>(
  parent: string,
  read: (directory: string, uuid: string) => Promise<Found | null>,
): Promise<FoundRuns<Found>> {
  const found: Found[] = [];
  const damaged: DamagedRun[] = [];
  for (const name of await listNames(parent)) {
    const directory = join(parent, name);
    try {
      requireUuid(name);
      const run = (await isRunDirectory(directory)) ? await read(directory, name) : null;
      if (run !== null) found.push(run);
    } catch (error) {
      // Whoever reads without the lock may look while a run is moved away.
      if (!(await isThere(directory))) continue;
      damaged.push({ name, reason: toStorageError(error, `read "${directory}"`).message });
    }
  }
  return { found, damaged };
}

/** Names of a directory's entries, sorted, without what a crash left half made; none when it is missing. */
export async function listNames(directory: string): Promise<readonly string[]> {
  const names = await readdir(directory).catch((error: unknown) => {
    if (toSystemCode(error) === 'ENOENT') return [];
    throw error;
  });
  return names.filter((name) => !isHalfMade(name)).sort();
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    (error: unknown) => {
      if (toSystemCode(error) === 'ENOENT') return false;
      throw error;
    },
  );
}
