import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeDirectory } from '../testing/store-setup.ts';
import { acquireLock } from './acquire-lock.ts';

let directory: Awaited<ReturnType<typeof makeDirectory>>;
let path: string;
const children: ChildProcess[] = [];
beforeEach(async () => {
  directory = await makeDirectory();
  path = join(directory.path, 'running.lock');
});
afterEach(async () => {
  for (const child of children.splice(0)) await kill(child);
  await directory.remove();
});

const script = fileURLToPath(new URL('../../test/hold-lock.ts', import.meta.url));

/** Another process that tries to take the lock; `word` is what came of it. */
async function startOther(): Promise<{ child: ChildProcess; word: string }> {
  const stdio = ['pipe', 'pipe', 'inherit'] as const;
  const child = spawn(process.execPath, ['--conditions=@agent/source', script, path], { stdio: [...stdio] });
  children.push(child);
  const [data] = await once(child.stdout as NonNullable<typeof child.stdout>, 'data');
  return { child, word: String(data).trim() };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

const foreignRecord = (fields: object) =>
  JSON.stringify({
    pid: 1,
    process_start_time: null,
    host: 'another-machine',
    nonce: 'n1',
    acquired_at: '2026-03-01T12:00:00.000Z',
    ...fields,
  });
const age = async (seconds: number) => {
  const then = Date.now() / 1000 - seconds;
  await utimes(path, then, then);
};

describe('acquireLock', () => {
  it('tells a second process who owns the directory, and replaces a dead owner at once [RL-11]', async () => {
    const { child, word } = await startOther();
    expect(word).toBe('held');
    await expect(acquireLock({ path })).rejects.toMatchObject({
      code: 'owned',
      message: expect.stringContaining(`process ${child.pid} on `),
    });
    await kill(child);
    const lock = await acquireLock({ path });
    expect(JSON.parse(await readFile(path, 'utf8')).pid).toBe(process.pid);
    expect((await startOther()).word).toBe('owned');
    await lock.release();
    expect(await readdir(directory.path)).toEqual([]);
  });

  it('lets only one of several processes replace a dead owner [RL-11]', async () => {
    await kill((await startOther()).child);
    const words = await Promise.all([startOther(), startOther(), startOther()]);
    expect(words.map(({ word }) => word).sort()).toEqual(['held', 'owned', 'owned']);
  });

  it('frees itself when its owner ends in good order', async () => {
    const { child } = await startOther();
    const gone = once(child, 'exit');
    child.stdin?.end();
    await gone;
    expect(await readdir(directory.path)).toEqual([]);
  });

  it('takes a living process of the same number for another one when it began at another time', async () => {
    const record = { pid: process.pid, process_start_time: '1', host: 'here' };
    await writeFile(path, foreignRecord(record));
    await (await acquireLock({ path, host: 'here' })).release();
  });

  it('waits for a minute of silence before it replaces an owner on another machine', async () => {
    await writeFile(path, foreignRecord({}));
    await age(50);
    await expect(acquireLock({ path })).rejects.toMatchObject({
      code: 'owned',
      message: expect.stringContaining('process 1 on another-machine'),
    });
    await age(70);
    await (await acquireLock({ path })).release();
  });

  it('waits as long before it replaces a file that says nothing', async () => {
    await writeFile(path, '');
    await expect(acquireLock({ path })).rejects.toMatchObject({ code: 'owned' });
    await age(70);
    await (await acquireLock({ path })).release();
    expect(await readdir(directory.path)).toEqual([]);
  });

  it('shows signs of life, and says so once when it was replaced all the same', async () => {
    const beats: (() => void)[] = [];
    const errors: string[] = [];
    const silent = () => undefined;
    const error = (_: object, message: string) => errors.push(message);
    let lost = 0;
    let lose: () => void = () => undefined;
    const whenLost = new Promise<void>((resolve) => {
      lose = resolve;
    });
    const lock = await acquireLock({
      path,
      repeat: (task) => {
        beats.push(task);
        return () => beats.splice(0);
      },
      onLost: () => {
        lost += 1;
        lose();
      },
      logger: { debug: silent, info: silent, warn: silent, error },
    });
    await writeFile(path, foreignRecord({}));
    beats[0]?.();
    await whenLost;
    expect(lost).toBe(1);
    expect(errors).toEqual([expect.stringContaining('another process has taken the lock')]);
    expect(beats).toEqual([]);
    await lock.release();
    expect(JSON.parse(await readFile(path, 'utf8')).host).toBe('another-machine');
  });

  it('removes what a process left that died while it took the lock [RL-9]', async () => {
    const { child } = await startOther();
    const record = await readFile(path, 'utf8');
    await kill(child);
    const young = `${path}.in-the-making`;
    for (const name of ['dead', 'takeover-n1', 'takeover-n1.dead'])
      await writeFile(`${path}.${name}`, record);
    await writeFile(young, '');
    const lock = await acquireLock({ path });
    expect((await readdir(directory.path)).sort()).toEqual(['running.lock', 'running.lock.in-the-making']);
    await lock.release();
  });

  it('says what to do when the lock cannot be written', async () => {
    await writeFile(path, '');
    await expect(acquireLock({ path: join(path, 'lock') })).rejects.toMatchObject({
      code: 'storage-failed',
    });
  });
});
