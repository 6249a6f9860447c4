import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type AbandonedLockOptions, isAbandoned, readLock } from './lock-record.ts';

/**
 * Removes what processes that died in the middle of taking a lock left beside it. Only its owner may call this.
 * One that says nothing may be in the making: it goes once it has been silent long enough.
 */
export async function removeAbandonedFiles(path: string, options: AbandonedLockOptions): Promise<void> {
  const names = await readdir(dirname(path));
  for (const name of names.filter((other) => other.startsWith(`${basename(path)}.`))) {
    const file = join(dirname(path), name);
    const found = await readLock(file);
    if (found !== null && (await isAbandoned(found, options))) await rm(file, { force: true });
  }
}
