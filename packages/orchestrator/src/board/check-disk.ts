import { statfs } from 'node:fs/promises';
import type { ObserveBoard } from './board-event.ts';

export interface CheckDiskOptions {
  /** Where runs are kept. */
  readonly directory: string;
  readonly observe: ObserveBoard;
  /** Bytes that have to be free. Default 64 MiB. */
  readonly minFreeBytes?: number | undefined;
}

const mebibyte = 1_048_576;

/** Looks whether runs can be kept, and tells the board as the condition `disk`. Never rejects. */
export async function checkDisk(options: CheckDiskOptions): Promise<void> {
  const reason = await findReason(options);
  options.observe({ type: 'condition', part: 'disk', state: reason === null ? 'ok' : 'failed', reason });
}

async function findReason({
  directory,
  minFreeBytes = 64 * mebibyte,
}: CheckDiskOptions): Promise<string | null> {
  try {
    const { bavail, bsize } = await statfs(directory);
    if (bavail * bsize >= minFreeBytes) return null;
    return `The disk of the runs has less than ${minFreeBytes / mebibyte} MiB left. Make room there.`;
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    return `The directory of the runs cannot be looked at (${code}). Make it readable for this account.`;
  }
}
