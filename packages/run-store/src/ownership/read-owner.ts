import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { toSystemCode, translated } from '../context-store-error.ts';
import { readMachine } from './machine.ts';
import { inodeOf, judgeOwner, parseRecord, readBytes } from './owner-record.ts';
import { loadSystemLocks } from './system-locks.ts';

/** The process that works on a directory of runs. */
export interface DirectoryOwner {
  /** Its number in its own namespace. */
  readonly pid: number;
  readonly host: string;
}

/**
 * Finds who owns a directory of runs; null when nobody does, or whoever did is gone. Changes nothing, and needs not own it.
 *
 * @param options `now`: milliseconds since 1970, default the system's
 * @throws {ContextStoreError} `storage-failed` when the lock files cannot be read, or this system has no locks
 *
 * @example
 * const owner = await readOwner('contexts');
 */
export function readOwner(
  baseDirectory: string,
  { now = Date.now() }: { readonly now?: number | undefined } = {},
): Promise<DirectoryOwner | null> {
  return translated(findOwner(baseDirectory, now), `read who owns "${baseDirectory}"`);
}

async function findOwner(baseDirectory: string, now: number): Promise<DirectoryOwner | null> {
  const found = withOpen(join(baseDirectory, 'lock.json'), (fd) => ({
    record: parseRecord(readBytes(fd)),
    silentMs: now - fstatSync(fd).mtimeMs,
  }));
  if (found === null || found.record === null || found.record.released_at !== null) return null;
  const locks = await loadSystemLocks();
  const life = withOpen(join(baseDirectory, 'lock.held'), (fd) => ({
    // A shared lock, and only for a moment: others who ask get theirs as well.
    lockIsFree: locks.tryLock(fd, { shared: true }),
    life: inodeOf(fd),
  }));
  const seen = { ...found, ...(life ?? { lockIsFree: true, life: '' }) };
  const { kind } = judgeOwner(seen, { machine: readMachine(), silenceMs: 60_000 });
  const { pid, host } = found.record;
  return kind === 'free' ? null : { pid, host };
}

/** Null when there is no such file. */
function withOpen<Result>(path: string, use: (fd: number) => Result): Result | null {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY);
  } catch (error) {
    if (toSystemCode(error) === 'ENOENT') return null;
    throw error;
  }
  try {
    return use(fd);
  } finally {
    closeSync(fd);
  }
}
