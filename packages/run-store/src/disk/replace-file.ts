import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { privateFile } from './private-modes.ts';

export interface ReplaceFileOptions {
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
