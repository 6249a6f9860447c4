import { lstat, mkdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ContextStoreError, toSystemCode } from '../context-store-error.ts';
import { listEntries, privateDirectory, removeEntries, syncDirectory, unlessMissing } from './files.ts';

/**
 * Tells whether a run's directory is there.
 * @throws {ContextStoreError} `damaged` when a link or a file stands in its place
 */
export async function isRunDirectory(path: string): Promise<boolean> {
  const status = await unlessMissing(lstat(path), null);
  if (status === null) return false;
  if (status.isDirectory()) return true;
  throw new ContextStoreError(`"${path}" is not a directory. Move it away.`, { code: 'damaged' });
}

/** Beginning of the name of a directory in `running/` that is being made. */
export const halfMadePrefix = '.new-';

/** Tells whether an entry of `running/` is a directory that a crash left half made. */
export function isHalfMade(name: string): boolean {
  return name.startsWith(halfMadePrefix);
}

/** Names of a directory's entries, sorted, without what a crash left half made; none when it is missing. */
export async function listNames(directory: string): Promise<readonly string[]> {
  const names = await listEntries(directory);
  return names.filter((name) => !isHalfMade(name)).sort();
}

/**
 * Moves a directory, durably at both ends; the target's parent is made when it is missing.
 * @throws {ContextStoreError} when something is in the way, or the target lies on another file system
 */
export async function moveDirectory(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: privateDirectory });
  await rename(from, to).catch((error: unknown) => {
    throw explain(error, { from, to }) ?? error;
  });
  await syncDirectory(dirname(to));
  await syncDirectory(dirname(from));
}

function explain(
  error: unknown,
  { from, to }: { readonly from: string; readonly to: string },
): ContextStoreError | null {
  const code = toSystemCode(error);
  if (code === 'EXDEV') {
    const message = `"${from}" cannot be moved to "${to}", which is on another file system. Put both on the same one.`;
    return new ContextStoreError(message, { code: 'storage-failed', cause: error });
  }
  if (code !== 'ENOTEMPTY' && code !== 'EEXIST' && code !== 'ENOTDIR') return null;
  const message = `"${from}" cannot be moved to "${to}", which already exists. Move one of the two away.`;
  return new ContextStoreError(message, { code: 'damaged', cause: error });
}

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
export function removeLeftovers(parent: string): Promise<void> {
  return removeEntries(parent, (name) => name.startsWith(removedPrefix));
}
