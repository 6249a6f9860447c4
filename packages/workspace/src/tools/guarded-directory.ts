import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { ToolError } from './define-tool.ts';

export interface GuardedDirectory {
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
