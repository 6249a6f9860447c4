import { closeSync, constants, fsyncSync, openSync, writeSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ContextStoreError, translated } from '../context-store-error.ts';
import { privateFile } from '../disk/files.ts';
import { refuseNetworkFileSystem } from './machine.ts';
import { loadSystemLocks } from './system-locks.ts';

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
