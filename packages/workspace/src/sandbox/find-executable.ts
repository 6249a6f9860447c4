import { constants } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join, sep } from 'node:path';

/**
 * Finds a program by name in the directories of PATH; null when there is none. Relative directories, and those inside the
 * worktree, do not count: what a repository brings cannot pass for a tool of the machine.
 */
export async function findExecutable(
  name: string,
  options: { readonly path: string; readonly worktree: string },
): Promise<string | null> {
  if (name.includes('/') || name === '' || name === '.' || name === '..') return null;
  for (const directory of searchedDirectories(options)) {
    const file = join(directory, name);
    if (await isExecutable(file)) {
      const real = await realpath(file);
      if (!isInside(options.worktree, real)) return file;
    }
  }
  return null;
}

/** The absolute directories of a PATH that lie outside the worktree. */
export function searchedDirectories(options: {
  readonly path: string;
  readonly worktree: string;
}): readonly string[] {
  const directories = options.path.split(delimiter).filter((directory) => isAbsolute(directory));
  return [...new Set(directories)].filter((directory) => !isInside(options.worktree, directory));
}

/** Tells whether a path is the directory or lies below it. */
export function isInside(directory: string, path: string): boolean {
  return path === directory || path.startsWith(directory.endsWith(sep) ? directory : directory + sep);
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    // Missing or not ours to run: the next directory is asked.
    return false;
  }
}
