import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, realpath, rename, rm, unlink } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { temporaryPath } from '../machine/directories.ts';
import type { GuardedPath } from '../machine/guarded-path.ts';
import { ToolError } from '../workspace-error.ts';

/** Largest file that is read or written as text, in bytes. */
const maxFileBytes = 5 * 1024 * 1024;

/**
 * Reads a text file whole.
 *
 * @throws ToolError for a file that is missing, too large, not text, or not a file at all
 */
export async function readTextFile(path: GuardedPath): Promise<string> {
  if (!path.exists)
    throw new ToolError(`"${path.shown}" does not exist. list_files shows the files that exist.`);
  const handle = await openAsIs(path);
  try {
    const state = await handle.stat();
    if (state.isDirectory()) throw new ToolError(`"${path.shown}" is a directory. Use list_files for it.`);
    if (!state.isFile()) throw new ToolError(`"${path.shown}" is not a regular file.`);
    if (state.size > maxFileBytes) {
      throw new ToolError(
        `"${path.shown}" is too large (${state.size} bytes, at most ${maxFileBytes}). Use search_files.`,
      );
    }
    return decode(await handle.readFile(), path.shown);
  } finally {
    await handle.close();
  }
}

/**
 * Opens without following a link that took the file's place since it was checked, without waiting for the other
 * end of a pipe, and makes sure that what was opened is what was checked.
 */
async function openAsIs(path: GuardedPath): Promise<FileHandle> {
  const handle = await open(
    path.real,
    constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
  ).catch((cause: { code?: unknown }) => {
    throw new ToolError(`"${path.shown}" cannot be opened (${String(cause.code)}).`, { cause });
  });
  const opened = await realpath(`/proc/self/fd/${handle.fd}`).catch(() => path.real);
  if (opened === path.real) return handle;
  await handle.close();
  throw new ToolError(`"${path.shown}" was changed while it was being opened. Try again.`, {
    retryable: true,
  });
}

function decode(bytes: Buffer, shown: string): string {
  if (!bytes.subarray(0, 8192).includes(0)) {
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      // Not UTF-8: answered below, as binary content is.
    }
  }
  throw new ToolError(
    `"${shown}" is not UTF-8 text (${bytes.length} bytes); it cannot be shown or edited as text.`,
  );
}

/**
 * Writes a file in one step: readers see the old text or the new, never half. Keeps the mode of a file that is
 * there; makes missing directories.
 */
export async function writeTextFile(path: GuardedPath, text: string): Promise<void> {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length > maxFileBytes) {
    throw new ToolError(`That is too much for one file (${bytes.length} bytes, at most ${maxFileBytes}).`);
  }
  const directory = { ...path, real: dirname(path.real) };
  await inDirectory(directory, async (at) => {
    const target = join(at, basename(path.real));
    const state = await lstat(target).catch(() => null);
    if (state !== null && !state.isFile()) throw new ToolError(`"${path.shown}" is not a regular file.`);
    const temporary = temporaryPath(at);
    try {
      const handle = await open(temporary, 'wx', state === null ? 0o666 : state.mode & 0o777);
      try {
        await handle.writeFile(bytes);
        if (state !== null) await handle.chmod(state.mode & 0o777);
      } finally {
        await handle.close();
      }
      await rename(temporary, target);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  });
}

/** Deletes a file of a directory, or a link, not what it leads to. */
export async function deleteFile(directory: GuardedPath, name: string): Promise<void> {
  const shown = directory.shown === '.' ? name : `${directory.shown}/${name}`;
  if (!directory.exists) throw new ToolError(`"${shown}" does not exist.`);
  await inDirectory(directory, async (at) => {
    const file = join(at, name);
    const state = await lstat(file).catch(() => null);
    if (state === null) throw new ToolError(`"${shown}" does not exist.`);
    if (state.isDirectory()) {
      throw new ToolError(`"${shown}" is a directory. Delete its files one by one.`);
    }
    await unlink(file);
  });
}

interface GuardedDirectory {
  /** The worktree, free of links. */
  readonly root: string;
  /** The directory inside it, free of links when it was checked. */
  readonly real: string;
  /** As the model wrote it. */
  readonly shown: string;
}

const asDirectory = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/**
 * Works in a directory of the worktree, made where it is missing. What the work is given names the very directory that was
 * opened, part by part and without following a link: a name that is swapped meanwhile leads nowhere else. On Linux; elsewhere
 * the path is looked at once more before the work begins.
 *
 * @throws ToolError when a part of the path is no directory any more
 */
export async function inDirectory<Result>(
  directory: GuardedDirectory,
  work: (at: string) => Promise<Result>,
): Promise<Result> {
  if (process.platform !== 'linux') return inCheckedDirectory(directory, work);
  const handle = await openParts(directory);
  try {
    return await work(pathOf(handle));
  } finally {
    await handle.close();
  }
}

async function openParts({ root, real, shown }: GuardedDirectory): Promise<FileHandle> {
  let handle = await open(root, asDirectory);
  for (const part of relative(root, real).split(sep).filter(Boolean)) {
    const above = handle;
    const path = join(pathOf(above), part);
    try {
      await mkdir(path).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
      });
      handle = await open(path, asDirectory);
    } catch (cause) {
      throw new ToolError(
        `"${shown}" is not a directory any more, or a part of it is a file or cannot be opened (${String((cause as { code?: unknown }).code)}).`,
        { cause },
      );
    } finally {
      await above.close();
    }
  }
  return handle;
}

function pathOf(handle: FileHandle): string {
  return `/proc/self/fd/${handle.fd}`;
}

async function inCheckedDirectory<Result>(
  { real, shown }: GuardedDirectory,
  work: (at: string) => Promise<Result>,
): Promise<Result> {
  await mkdir(real, { recursive: true }).catch((cause: unknown) => {
    throw new ToolError(`"${shown}" cannot be made: a part of it is a file.`, { cause });
  });
  if ((await realpath(real)) !== real) {
    throw new ToolError(`"${shown}" was changed while it was being used. Try again.`, { retryable: true });
  }
  return work(real);
}
