import { randomUUID } from 'node:crypto';
import { chmod, lstat, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Files in the making have such names: ignored in every repository, and removed after a crash. */
export const temporaryFile = { prefix: '.agent-write-', suffix: '.tmp' } as const;

/** A new name for a file in the making. */
export function temporaryPath(directory: string, name: string = randomUUID()): string {
  return join(directory, `${temporaryFile.prefix}${name}${temporaryFile.suffix}`);
}

/**
 * Makes the file hold exactly this text, whatever is there: a link is replaced, never followed; a directory in
 * its place is removed. Writes nothing when the text is there already.
 */
export async function ensureFile(path: string, text: string, mode = 0o644): Promise<void> {
  const state = await lstat(path).catch(() => null);
  if (state?.isFile() && state.nlink === 1 && (await readFile(path, 'utf8')) === text) return;
  if (state?.isDirectory()) await rm(path, { recursive: true, force: true });
  await ensureDirectory(dirname(path));
  const temporary = temporaryPath(dirname(path));
  await writeFile(temporary, text, { mode, flag: 'wx' });
  await rename(temporary, path);
}

/**
 * Makes the path a directory that is closed to other accounts: what else is there (a link, a file) is removed first. Parents are
 * made as needed.
 */
export async function ensureDirectory(path: string): Promise<void> {
  const state = await lstat(path).catch(() => null);
  if (state?.isDirectory()) {
    if ((state.mode & 0o077) !== 0) await chmod(path, 0o700);
    return;
  }
  if (state !== null) await rm(path, { force: true });
  await mkdir(path, { recursive: true, mode: 0o700 });
}
