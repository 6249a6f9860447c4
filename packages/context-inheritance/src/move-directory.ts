import { mkdir, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncDirectory } from './replace-file.ts';

/** Moves a directory, durably at both ends; the target's parent is made when it is missing. */
export async function moveDirectory(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await rename(from, to);
  await syncDirectory(dirname(to));
  await syncDirectory(dirname(from));
}
