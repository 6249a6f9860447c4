import { readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { syncDirectory } from '../disk/replace-file.ts';
import { toSystemCode } from '../disk/storage-error.ts';
import { isRunDirectory } from '../file/run-directory.ts';

const removedPrefix = '.removed-';

/** Removes a run, whole or not at all: a crash in the middle leaves what no longer looks like a run. */
export async function removeRunDirectory(directory: string): Promise<void> {
  const removed = join(dirname(directory), `${removedPrefix}${basename(directory)}`);
  await rm(removed, { recursive: true, force: true });
  await rename(directory, removed);
  await syncDirectory(dirname(directory));
  await rm(removed, { recursive: true, force: true });
}

/** As `removeRunDirectory`; false when there is none. */
export async function removeIfThere(directory: string): Promise<boolean> {
  if (!(await isRunDirectory(directory))) return false;
  await removeRunDirectory(directory);
  return true;
}

/** Removes what a crash left of runs that were being removed. */
export async function removeLeftovers(parent: string): Promise<void> {
  const names = await readdir(parent).catch((error: unknown) => {
    if (toSystemCode(error) === 'ENOENT') return [];
    throw error;
  });
  for (const name of names.filter((other) => other.startsWith(removedPrefix))) {
    await rm(join(parent, name), { recursive: true, force: true });
  }
}
