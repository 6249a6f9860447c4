import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import native from 'fs-native-extensions';
import { expect, it, onTestFinished, vi } from 'vitest';
import { makeDirectory } from '../testing/store-setup.ts';
import { loadSystemLocks, refuseNetworkFileSystem } from './machine.ts';

/** Opens a file again and again, each time as another process would. */
async function openFile(): Promise<() => number> {
  const { path, remove } = await makeDirectory();
  const opened: number[] = [];
  onTestFinished(async () => {
    for (const fd of opened) closeSync(fd);
    await remove();
  });
  return () => {
    const fd = openSync(join(path, 'file'), 'a+');
    opened.push(fd);
    return fd;
  };
}

/** Names this system as another one for the rest of a test. */
function nameSystem(platform: NodeJS.Platform): void {
  const known = Object.getOwnPropertyDescriptor(process, 'platform') as PropertyDescriptor;
  Object.defineProperty(process, 'platform', { ...known, value: platform });
  onTestFinished(() => void Object.defineProperty(process, 'platform', known));
}

/** Tells whether a lock of ours leaves alone what is written in a file. */
async function leavesTextAlone({ loadSystemLocks: load }: { loadSystemLocks: typeof loadSystemLocks }) {
  const open = await openFile();
  const [one, other, reader] = [open(), open(), open()];
  writeSync(one, 'written');
  const locks = await load();
  expect([locks.tryLock(one), locks.tryLock(other)]).toEqual([true, false]);
  const isAlone = native.tryLock(reader, 0, 512);
  if (isAlone) native.unlock(reader, 0, 512);
  locks.unlock(one);
  expect(locks.tryLock(other)).toBe(true);
  return isAlone;
}

it('locks a place behind all that is written, and a whole file where the system knows no places', async () => {
  expect(await leavesTextAlone({ loadSystemLocks })).toBe(process.platform !== 'darwin');
  nameSystem('darwin');
  vi.resetModules();
  expect(await leavesTextAlone(await import('./machine.ts'))).toBe(false);
});

it('asks only Linux for the number of a file system: another system has numbers of its own', async () => {
  const nowhere = join('nowhere', 'at', 'all');
  nameSystem('linux');
  await expect(refuseNetworkFileSystem(nowhere)).rejects.toMatchObject({ code: 'ENOENT' });
  nameSystem('darwin');
  await refuseNetworkFileSystem(nowhere);
});
