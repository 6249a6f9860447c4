import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readdir, realpath, rename, rm } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { endProcesses } from './end-processes.ts';

/** Says which process a git works for, so that what outlives that process can be told from our own. */
export const daemonVariable = 'AGENT_DAEMON_PID';

/** Errors of a removal that goes through once the tree is opened and flat. */
const fixable: ReadonlySet<unknown> = new Set(['EACCES', 'EPERM', 'ENOTEMPTY', 'ENAMETOOLONG']);

/** Removes a directory and all in it; also where a tool left directories that may not be written to, or without end. */
export async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
  } catch (error) {
    if (!fixable.has((error as { code?: unknown }).code)) throw error;
    await openAndFlatten(path);
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Paths that grow by more than this are cut in two, in characters: systems take some 1,000 to 4,000 in all. */
const maxGrowth = 500;

/** Makes all directories writable, and moves what lies deeper than a path can name up to the top. */
async function openAndFlatten(top: string): Promise<void> {
  const waiting = [top];
  let moved = 0;
  for (let directory = waiting.pop(); directory !== undefined; directory = waiting.pop()) {
    await chmod(directory, 0o700);
    for (const entry of await readdir(directory, { withFileTypes: true })) {
      if (!entry.isDirectory()) continue;
      const path = join(directory, entry.name);
      if (path.length - top.length <= maxGrowth) {
        waiting.push(path);
        continue;
      }
      // To be moved, a directory has to be writable itself.
      await chmod(path, 0o700);
      const place = join(top, `.deep-${process.pid}-${moved++}`);
      await rename(path, place);
      waiting.push(place);
    }
  }
}

/** Beginning of the names of commands' homes, by which those of a killed process are found and removed. */
export const homePrefix = '.agent-home-';

/** Beginning of the names of homes that outlive a process, before the uuid of their run. */
export const keptHomePrefix = '.agent-session-';

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
 * Clears what a killed process left in the workspaces' directory: git that still works there, and homes of
 * commands. A lock file may be taken away from a git that is dead, never from one that only lost its daemon.
 */
export async function clearLeftovers(directory: string): Promise<void> {
  await endProcesses(
    (environment) =>
      environment.get('GIT_COMMON_DIR')?.startsWith(`${directory}${sep}`) === true &&
      environment.get(daemonVariable) !== String(process.pid),
  );
  for (const name of await readdir(directory)) {
    if (name.startsWith(homePrefix)) await removeTree(join(directory, name));
  }
}

/** Files in the making have such names: ignored in every repository, and removed after a crash. */
export const temporaryFile = { prefix: '.agent-write-', suffix: '.tmp' } as const;

/** A new name for a file in the making. */
export function temporaryPath(directory: string, name: string = randomUUID()): string {
  return join(directory, `${temporaryFile.prefix}${name}${temporaryFile.suffix}`);
}
