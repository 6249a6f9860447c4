import { chmod, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

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
