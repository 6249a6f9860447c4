import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { checkOptions, type ExpectationsOf, expectNumber, expectOneOf } from '@agent/text/options';
import { toSystemCode } from '../context-store-error.ts';
import type { StorageCondition } from '../storage.ts';
import { leadsSomewhere } from './files.ts';

const mebibyte = 1_048_576;

/** Options of `checkDisk`. */
export interface DiskCheckOptions {
  /** Contents of the directory, for the reason. Default `runs`. */
  readonly contents?: 'runs' | 'worktrees' | undefined;
  /** Bytes that have to be free. Default 64 MiB. */
  readonly minFreeBytes?: number | undefined;
}

/**
 * Finds out whether the disk of a directory has room. Rejects only for a wrong option.
 * @throws {TypeError} that names the option
 */
export async function checkDisk(
  directory: string,
  options: DiskCheckOptions = {},
): Promise<StorageCondition> {
  checkOptions('DiskCheckOptions', options, {
    contents: expectOneOf('runs', 'worktrees'),
    minFreeBytes: expectNumber(0),
  } satisfies ExpectationsOf<DiskCheckOptions>);
  const { contents = 'runs', minFreeBytes = 64 * mebibyte } = options;
  try {
    const { bavail, bsize } = await statfs(directory);
    if (bavail * bsize >= minFreeBytes) return { part: 'disk', state: 'ok', reason: null };
    const left = `The disk of the ${contents} (${directory}) has less than ${minFreeBytes / mebibyte} MiB left. Free some space there.`;
    return { part: 'disk', state: 'failed', reason: left };
  } catch (error) {
    const code = toSystemCode(error) ?? 'unknown error';
    const reason = `The directory of the ${contents} (${directory}) cannot be read (${code}). Make it readable for this account.`;
    return { part: 'disk', state: 'failed', reason };
  }
}

/** Finds the directory itself, or the nearest one above it that exists. */
export async function findExistingDirectory(directory: string): Promise<string> {
  let place = directory;
  while (!(await leadsSomewhere(place)) && dirname(place) !== place) place = dirname(place);
  return place;
}
