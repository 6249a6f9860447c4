import { closeSync, openSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { makeDirectory } from '../testing/store-setup.ts';
import { acquireOwnership } from './acquire-ownership.ts';
import { loadSystemLocks, type SystemLocks } from './machine.ts';

let baseDirectory: string;
let locks: SystemLocks;
beforeEach(async () => {
  const directory = await makeDirectory();
  onTestFinished(directory.remove);
  baseDirectory = directory.path;
  locks = await loadSystemLocks();
});

/** Opens a lock file as another process does; closing gives back what was locked. */
function openAsOther(name: string): { readonly tryLock: () => boolean; readonly unlock: () => void } {
  const fd = openSync(join(baseDirectory, name), 'r+');
  onTestFinished(() => closeSync(fd));
  return { tryLock: () => locks.tryLock(fd), unlock: () => locks.unlock(fd) };
}

const nothing = () => undefined;

/** Owns the directory; `beat` shows a sign of life, and `onSleep` runs whenever the short lock is waited for. */
async function own(onSleep: () => void | Promise<void> = nothing) {
  const warned: string[] = [];
  const warn = (_: object, message: string) => void warned.push(message);
  let beat: () => void = nothing;
  const owner = await acquireOwnership({
    baseDirectory,
    logger: { debug: nothing, info: nothing, warn, error: nothing },
    sleep: async () => onSleep(),
    repeat: (task) => {
      beat = task;
      return nothing;
    },
  });
  onTestFinished(() => owner.release());
  return { owner, warned, beat: () => beat() };
}

/** Lets everything happen that waits for nothing but promises. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

it('logs that it failed to write a heartbeat, and writes the next one', async () => {
  let isBroken = true;
  let goOn: () => void = nothing;
  const { owner, warned, beat } = await own(() => {
    if (isBroken) throw new Error('the disk is slow');
    goOn();
  });
  const other = openAsOther('lock.json');
  goOn = other.unlock;
  expect(other.tryLock()).toBe(true);
  beat();
  await settle();
  expect(warned).toEqual(['failed to write heartbeat']);
  isBroken = false;
  beat();
  await settle();
  await owner.guard(async () => undefined);
  expect(warned).toHaveLength(1);
});

it('says nothing of a sign of life that an owner does not owe any more', async () => {
  const lost = await own();
  await rm(join(baseDirectory, 'lock.json'));
  lost.beat();
  await settle();
  expect(lost.owner.lost.aborted).toBe(true);
  lost.beat();
  await settle();
  await lost.owner.release();
  const released = await own();
  await released.owner.release();
  released.beat();
  await settle();
  expect([...lost.warned, ...released.warned]).toEqual([]);
});

it('ends at once where it was replaced while it waits for another process [NX-84]', async () => {
  let slept = 0;
  let goOn: () => void = nothing;
  const { owner } = await own(async () => {
    slept += 1;
    await rm(join(baseDirectory, 'lock.json'), { force: true });
    if (slept === 3) goOn();
  });
  const other = openAsOther('lock.json');
  goOn = other.unlock;
  expect(other.tryLock()).toBe(true);
  await expect(owner.guard(async () => undefined)).rejects.toMatchObject({ code: 'owned' });
  expect(slept).toBe(1);
});

it('frees its lock also where it was replaced and another process holds the record', async () => {
  const { owner } = await own();
  const other = openAsOther('lock.json');
  const life = openAsOther('lock.held');
  expect([other.tryLock(), life.tryLock()]).toEqual([true, false]);
  await rm(join(baseDirectory, 'lock.json'));
  expect(() => owner.requireOwned()).toThrow('was deleted or replaced');
  await owner.release();
  expect(life.tryLock()).toBe(true);
});
