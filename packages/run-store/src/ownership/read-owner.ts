import { closeSync, constants, fstatSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ContextStoreError, toSystemCode, translated } from '../context-store-error.ts';
import { privateFile } from '../disk/files.ts';
import type { StorageMember } from '../storage.ts';
import { loadSystemLocks, readMachine, refuseNetworkFileSystem } from './machine.ts';
import { inodeOf, judgeOwner, parseRecord, readBytes, requireDirectoryVersion } from './owner-record.ts';

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
): Promise<StorageMember | null> {
  return translated(findOwner(baseDirectory, now), `read who owns "${baseDirectory}"`);
}

async function findOwner(baseDirectory: string, now: number): Promise<StorageMember | null> {
  const path = join(baseDirectory, 'lock.json');
  const found = withOpen(path, (fd) => {
    const bytes = readBytes(fd);
    requireDirectoryVersion(bytes, path);
    return { record: parseRecord(bytes), silentMs: now - fstatSync(fd).mtimeMs };
  });
  if (found === null || found.record === null || found.record.released_at !== null) return null;
  const locks = await loadSystemLocks();
  const life = withOpen(join(baseDirectory, 'lock.held'), (fd) => ({
    // A shared lock, and only for a moment: others who ask get theirs as well.
    lockIsFree: locks.tryLock(fd, { shared: true }),
    life: inodeOf(fd),
  }));
  const seen = { ...found, ...(life ?? { lockIsFree: true, life: '' }) };
  const { kind } = judgeOwner(seen, { machine: readMachine(), silenceMs: 60_000 });
  const { number, pid, host } = found.record;
  return kind === 'free' ? null : { number, pid, host, silentMs: Math.max(0, Math.round(seen.silentMs)) };
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

/**
 * Tries in a directory, which must be there, what an owner of runs needs of its file system: locks that exclude each
 * other, synced writes, and no other host that writes. Leaves nothing there.
 *
 * @throws {ContextStoreError} `invalid` on a file system of a network, `storage-failed` for what does not work
 *
 * @example
 * await probeRunDirectory('/var/lib/agent');
 */
export async function probeRunDirectory(directory: string): Promise<void> {
  await translated(probe(directory), `use "${directory}" for runs`);
}

async function probe(directory: string): Promise<void> {
  await refuseNetworkFileSystem(directory);
  const locks = await loadSystemLocks();
  const place = await mkdtemp(join(directory, '.probe-'));
  const opened: number[] = [];
  const openAgain = (): number => {
    const fd = openSync(join(place, 'lock'), constants.O_RDWR | constants.O_CREAT, privateFile);
    opened.push(fd);
    return fd;
  };
  try {
    const [one, other] = [openAgain(), openAgain()];
    writeSync(one, 'synced');
    fsyncSync(one);
    if (locks.tryLock(one) && !locks.tryLock(other)) return;
    const message = `The locks of the file system of "${directory}" do not exclude each other: two processes could work there at once. Choose a directory on another disk.`;
    throw new ContextStoreError(message, { code: 'storage-failed' });
  } finally {
    for (const fd of opened) closeSync(fd);
    await rm(place, { recursive: true, force: true });
  }
}
