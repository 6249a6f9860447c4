import { chmod, lstat, mkdir, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { toSystemCode } from '../context-store-error.ts';
import { leadsSomewhere, privateDirectory } from '../disk/files.ts';
import { probeRunDirectory } from '../ownership/read-owner.ts';
import type { StorageCondition } from '../storage.ts';

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
  const state = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (state === null || state.isSymbolicLink() || (state.mode & 0o077) === 0) return;
  await chmod(path, state.mode & 0o700);
}

const mebibyte = 1_048_576;

/** Options of `checkDisk`. */
export interface DiskCheckOptions {
  /** Contents of the directory, for the reason. Default `runs`. */
  readonly contents?: 'runs' | 'worktrees' | undefined;
  /** Bytes that have to be free. Default 64 MiB. */
  readonly minFreeBytes?: number | undefined;
}

/** Finds out whether the disk of a directory has room. Never rejects. */
export async function checkDisk(
  directory: string,
  { contents = 'runs', minFreeBytes = 64 * mebibyte }: DiskCheckOptions = {},
): Promise<StorageCondition> {
  try {
    const { bavail, bsize } = await statfs(directory);
    if (bavail * bsize >= minFreeBytes) return { part: 'disk', state: 'ok', reason: null };
    const left = `The disk of the ${contents} (${directory}) has less than ${minFreeBytes / mebibyte} MiB left. Free some space there.`;
    return { part: 'disk', state: 'failed', reason: left };
  } catch (error) {
    const code = toSystemCode(error) ?? 'unknown error';
    const reason = `The directory of the ${contents} (${directory}) cannot be read (${code}). Make it readable for this account.`;
    return { part: 'disk', state: 'failed', reason };
  }
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

/** Finds the directory itself, or the nearest one above it that exists. */
export async function findExistingDirectory(directory: string): Promise<string> {
  let place = directory;
  while (!(await leadsSomewhere(place)) && dirname(place) !== place) place = dirname(place);
  return place;
}
