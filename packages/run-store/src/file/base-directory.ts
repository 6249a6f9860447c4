import { chmod, lstat, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { findExistingDirectory } from '../disk/check-disk.ts';
import { privateDirectory, unlessMissing } from '../disk/files.ts';
import { probeRunDirectory } from '../ownership/read-owner.ts';

/** Entries of the directory of runs that the earlier Python program, or a copy, may have left open to everybody. */
const kept = [
  ...['running', 'completed', 'paused', 'index', 'control'],
  ...['recent.jsonl', 'conditions.json', 'lock.json', 'lock.held'],
];

/**
 * Makes the directory of runs, for this account alone. One that is there may hold other things too and keeps its mode; what
 * lies in it of ours is closed to other accounts, and with it everything below.
 */
export async function keepPrivate(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: privateDirectory });
  await Promise.all(kept.map((name) => closeToOthers(join(directory, name))));
}

/** Takes from other accounts what they may do with a file or directory; nothing when it is not there, or a link. */
async function closeToOthers(path: string): Promise<void> {
  const state = await unlessMissing(lstat(path), null);
  if (state === null || state.isSymbolicLink() || (state.mode & 0o077) === 0) return;
  await chmod(path, state.mode & 0o700);
}

/**
 * Tries a directory of runs, or the nearest one above it that is there, as `probeRunDirectory` does.
 *
 * @throws {ContextStoreError} as `probeRunDirectory`
 */
export async function probeBaseDirectory(baseDirectory: string): Promise<Readonly<Record<string, never>>> {
  await probeRunDirectory(await findExistingDirectory(baseDirectory));
  return {};
}
