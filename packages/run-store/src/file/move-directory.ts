import { mkdir, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ContextStoreError } from '../context-store-error.ts';
import { privateDirectory } from '../disk/private-modes.ts';
import { syncDirectory } from '../disk/replace-file.ts';
import { toSystemCode } from '../disk/storage-error.ts';

/**
 * Moves a directory, durably at both ends; the target's parent is made when it is missing.
 * @throws {ContextStoreError} when something is in the way, or the target lies on another file system
 */
export async function moveDirectory(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: privateDirectory });
  await rename(from, to).catch((error: unknown) => {
    throw explain(error, { from, to }) ?? error;
  });
  await syncDirectory(dirname(to));
  await syncDirectory(dirname(from));
}

function explain(
  error: unknown,
  { from, to }: { readonly from: string; readonly to: string },
): ContextStoreError | null {
  const code = toSystemCode(error);
  if (code === 'EXDEV') {
    const message = `"${from}" cannot be moved to "${to}", which is on another file system. Put both on the same one.`;
    return new ContextStoreError(message, { code: 'storage-failed', cause: error });
  }
  if (code !== 'ENOTEMPTY' && code !== 'EEXIST' && code !== 'ENOTDIR') return null;
  const message = `"${from}" cannot be moved to "${to}", because there is something already. Move one of the two away.`;
  return new ContextStoreError(message, { code: 'damaged', cause: error });
}
