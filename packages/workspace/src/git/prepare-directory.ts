import { mkdir, realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { clearLeftovers } from './clear-leftovers.ts';

/**
 * Makes the function that prepares a directory for workspaces at its first call: it is made where it is missing, and
 * what dead processes left in it is cleared. Whoever shares the directory shares the function: prepared a second time,
 * it would lose what living runs keep in it.
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
