import { statfs } from 'node:fs/promises';
import { toSystemCode } from '../context-store-error.ts';
import type { StorageCondition } from '../storage.ts';

const mebibyte = 1_048_576;

/**
 * Finds out whether a directory of runs has room. Never rejects.
 *
 * @param options `minFreeBytes` that have to be free, default 64 MiB
 */
export async function checkDisk(
  directory: string,
  { minFreeBytes = 64 * mebibyte }: { readonly minFreeBytes?: number } = {},
): Promise<StorageCondition> {
  try {
    const { bavail, bsize } = await statfs(directory);
    if (bavail * bsize >= minFreeBytes) return { part: 'disk', state: 'ok', reason: null };
    const left = `The disk of the runs has less than ${minFreeBytes / mebibyte} MiB left. Make room there.`;
    return { part: 'disk', state: 'failed', reason: left };
  } catch (error) {
    const code = toSystemCode(error) ?? 'unknown error';
    const reason = `The directory of the runs cannot be looked at (${code}). Make it readable for this account.`;
    return { part: 'disk', state: 'failed', reason };
  }
}
