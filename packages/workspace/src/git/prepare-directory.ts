import { mkdir, readdir, realpath } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { endProcesses } from '../tools/end-processes.ts';
import { askpassPrefix, daemonVariable } from './git-environment.ts';
import { removeTree } from './remove-tree.ts';

/** Beginning of the names of commands' homes, by which those of a killed process are found and removed. */
export const homePrefix = '.agent-home-';

/**
 * Makes the function that prepares a directory for workspaces at its first call: it is made where it is missing, and
 * what dead processes left in it is cleared. Whoever shares the directory shares the function: prepared a second time,
 * it would lose what living runs keep in it.
 *
 * @example
 * const prepare = createDirectoryPreparer('/srv/workspaces');
 * const directory = await prepare();
 *
 * @returns its absolute path, without links
 */
export function createDirectoryPreparer(directory: string): () => Promise<string> {
  let preparing: Promise<string> | null = null;
  return () => {
    preparing ??= prepareDirectory(directory).catch((error: unknown) => {
      preparing = null;
      throw error;
    });
    return preparing;
  };
}

async function prepareDirectory(directory: string): Promise<string> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const path = await realpath(resolve(directory));
  await clearLeftovers(path);
  return path;
}

/**
 * Clears what a killed process left in the workspaces' directory: git that still works there, helpers, homes of
 * commands. A lock file may be taken away from a git that is dead, never from one that only lost its daemon.
 */
export async function clearLeftovers(directory: string): Promise<void> {
  await endProcesses(
    (environment) =>
      environment.get('GIT_COMMON_DIR')?.startsWith(`${directory}${sep}`) === true &&
      environment.get(daemonVariable) !== String(process.pid),
  );
  for (const name of await readdir(directory)) {
    const isLeft = name.startsWith(askpassPrefix) || name.startsWith(homePrefix);
    if (isLeft) await removeTree(join(directory, name));
  }
}
