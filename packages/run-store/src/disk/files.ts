import { fstatSync, readFile as readFileWithCallback, statSync } from 'node:fs';
import { type FileHandle, lstat, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { toSystemCode } from '../context-store-error.ts';

interface ReplaceFileOptions {
  /** Waits until contents and name are on the disk. Default true; false for what can be rebuilt. */
  readonly sync?: boolean;
}

/** Replaces a file as a whole: a reader, or a crash, sees the old text or the new one. */
export async function replaceFile(
  path: string,
  text: string,
  options: ReplaceFileOptions = {},
): Promise<void> {
  const { sync = true } = options;
  const temporary = `${path}.tmp`;
  try {
    await withFile(temporary, 'w', async (file) => {
      await file.writeFile(text);
      if (sync) await file.sync();
    });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
  if (sync) await syncDirectory(dirname(path));
}

/** Makes renames in a directory durable, where the system lets directories be synced. */
export async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  await withFile(path, 'r', (directory) => directory.sync());
}

/** Opens a file for the time of one use. */
export async function withFile<Result>(
  path: string,
  flags: string | number,
  use: (file: FileHandle) => Promise<Result>,
): Promise<Result> {
  const file = await open(path, flags, privateFile);
  try {
    return await use(file);
  } finally {
    await file.close();
  }
}

/** Modes of everything that is kept: conversations hold private code, and are for the own account alone. */
export const privateFile = 0o600;

export const privateDirectory = 0o700;

/** Without the handle that `node:fs/promises` opens for each file, which costs a third of reading a small one. */
const readWhole = promisify(readFileWithCallback);

/** Resolves with something else where there is no such file or directory. */
export function unlessMissing<Found, Instead>(
  looked: Promise<Found>,
  instead: Instead,
): Promise<Found | Instead> {
  return looked.catch((error: unknown) => {
    if (toSystemCode(error) === 'ENOENT') return instead;
    throw error;
  });
}

/** Resolves with null where there is no such file, also because its directory is a file. */
export function unlessAbsent<Found>(looked: Promise<Found>): Promise<Found | null> {
  return unlessMissing(looked, null).catch((error: unknown) => {
    if (toSystemCode(error) === 'ENOTDIR') return null;
    throw error;
  });
}

/** A file's text; null when there is no such file. */
export function readFileIfThere(path: string): Promise<string | null> {
  return unlessMissing(readWhole(path, 'utf8'), null);
}

/** Names of a directory's entries, in no order; none when there is no such directory. */
export async function listEntries(
  directory: string,
  options: { readonly recursive?: boolean } = {},
): Promise<readonly string[]> {
  return unlessMissing(readdir(directory, options), []);
}

/** Removes the entries of a directory that have such names. */
export async function removeEntries(directory: string, isRemoved: (name: string) => boolean): Promise<void> {
  const names = (await listEntries(directory)).filter(isRemoved);
  for (const name of names) await rm(join(directory, name), { recursive: true, force: true });
}

/** Tells a file from an earlier or a later one at its path; null for what is not there, or lies below a file. */
export async function readStamp(path: string): Promise<string | null> {
  const found = await unlessAbsent(stat(path));
  return found && `${found.size} ${found.mtimeMs} ${found.ino}`;
}

/** Identity of a file on its system, exact: numbers where they are safe, as they cost less. */
export interface FileIdentity {
  readonly dev: number | bigint;
  readonly ino: number | bigint;
}

/** Identifies an open file, or the file that a path leads to now; null where there is none. */
export function identifyFile(file: string | number): FileIdentity | null {
  const status = typeof file === 'number' ? fstatSync(file) : statSync(file, { throwIfNoEntry: false });
  if (status === undefined || (Number.isSafeInteger(status.ino) && Number.isSafeInteger(status.dev)))
    return status ?? null;
  const exact = { bigint: true, throwIfNoEntry: false } as const;
  return (typeof file === 'number' ? fstatSync(file, exact) : statSync(file, exact)) ?? null;
}

/** Tells whether a file, a directory or a link is there, wherever the link leads. */
export function isThere(path: string): Promise<boolean> {
  return unlessMissing(
    lstat(path).then(() => true),
    false,
  );
}

/** Tells whether a path leads to a file or a directory: a link that leads nowhere is none. */
export function leadsSomewhere(path: string): Promise<boolean> {
  return unlessMissing(
    stat(path).then(() => true),
    false,
  );
}
