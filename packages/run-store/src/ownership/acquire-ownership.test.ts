import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useDirectory } from '../../test/use-directory.ts';
import { acquireOwnership } from './acquire-ownership.ts';

const directory = useDirectory();
let baseDirectory: string;
let recordPath: string;
const children: ChildProcess[] = [];
beforeEach(() => {
  baseDirectory = directory.path;
  recordPath = join(baseDirectory, 'lock.json');
});
afterEach(async () => {
  for (const child of children.splice(0)) await kill(child);
});

const script = fileURLToPath(new URL('../../test/own-directory.ts', import.meta.url));

/** Arguments of `unshare` for a process that sees no other process and no other network than its own. */
const apart = ['--pid', '--fork', '--mount-proc', '--net', '--kill-child'];
const mayUnshare = spawnSync('unshare', [...apart, 'true']).status === 0;

/** Another process that tries to own the directory; `word` is what came of it. */
async function startOther(wrapper: readonly string[] = []): Promise<{ child: ChildProcess; word: string }> {
  const stdio = ['pipe', 'pipe', 'inherit'] as const;
  const own = [process.execPath, '--conditions=@agent/source', script, baseDirectory];
  const [program = '', ...given] = [...wrapper, ...own];
  const child = spawn(program, given, { stdio: [...stdio] });
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

const readRecord = async () => JSON.parse(await readFile(recordPath, 'utf8'));
const writeRecord = async (fields: object) =>
  writeFile(recordPath, JSON.stringify({ ...(await readRecord()), ...fields }));
/** Makes the last sign of life older, or newer. */
const age = async (seconds: number) => {
  const then = Date.now() / 1000 - seconds;
  await utimes(recordPath, then, then);
};
const record = {
  version: 1,
  number: 6,
  pid: 1,
  host: 'another-machine',
  boot: 'another-boot',
  life: '1',
  acquired_at: '2026-03-01T12:00:00.000Z',
  released_at: null,
};
const silent = () => undefined;

describe('acquireOwnership', () => {
  it('tells a second process who owns the directory, and replaces a dead owner at once [RL-11, X16]', async () => {
    const { child, word } = await startOther();
    expect(word).toBe('held');
    await expect(acquireOwnership({ baseDirectory })).rejects.toMatchObject({
      code: 'owned',
      message: expect.stringContaining(`process ${child.pid} on `),
    });
    await kill(child);
    const owner = await acquireOwnership({ baseDirectory });
    expect(await readRecord()).toMatchObject({ pid: process.pid, number: 2 });
    expect((await startOther()).word).toBe('owned');
    await owner.release();
  });

  it('lets only one of several processes replace a dead owner [RL-11]', { tags: ['full'] }, async () => {
    await kill((await startOther()).child);
    const words = await Promise.all([startOther(), startOther(), startOther()]);
    expect(words.map(({ word }) => word).sort()).toEqual(['held', 'owned', 'owned']);
  });

  const between =
    'holds between namespaces of processes and network, of one host name, and frees itself there [RL-11]';
  it(mayUnshare ? between : `NOT SHOWN HERE, the kernel gives no namespaces: ${between}`, async () => {
    if (!mayUnshare) return;
    const unshare = ['unshare', ...apart];
    const first = await startOther(unshare);
    expect([first.word, (await readRecord()).pid]).toEqual(['held', 1]);
    expect((await startOther(unshare)).word).toBe('owned');
    expect((await startOther()).word).toBe('owned');
    await kill(first.child);
    expect((await startOther(unshare)).word).toBe('held');
  });

  it('gives each owner a higher number, also after one that ended in good order [NX-83, X16]', async () => {
    for (const number of [1, 2, 3]) {
      const owner = await acquireOwnership({ baseDirectory });
      expect(owner.number).toBe(number);
      await owner.release();
    }
    expect((await readdir(baseDirectory)).sort()).toEqual(['lock.held', 'lock.json']);
  });

  it('counts on from the records of runs where the file that counts was deleted [NX-83]', async () => {
    const run = join(baseDirectory, 'completed', 'some-run');
    await mkdir(run, { recursive: true });
    await writeFile(join(run, 'messages.jsonl'), '{"seq":1,"owner":3}\n{"seq":2,"owner":41}\n');
    const owner = await acquireOwnership({ baseDirectory });
    expect(owner.number).toBe(42);
    await owner.release();
    await writeFile(recordPath, '{"number":');
    expect((await acquireOwnership({ baseDirectory })).number).toBe(42);
  });

  it('raises the number over an owner that lives and is silent, which then writes nothing more [NX-84, X16]', async () => {
    const errors: string[] = [];
    const error = (_: object, message: string) => errors.push(message);
    const frozen = await acquireOwnership({
      baseDirectory,
      logger: { debug: silent, info: silent, warn: silent, error },
    });
    await age(50);
    await expect(acquireOwnership({ baseDirectory })).rejects.toMatchObject({ code: 'owned' });
    await age(61);
    const heir = await acquireOwnership({ baseDirectory });
    expect(heir.number).toBe(2);
    let written = 0;
    const write = async () => {
      written += 1;
    };
    await expect(frozen.guard(write)).rejects.toMatchObject({ code: 'owned' });
    expect(() => frozen.requireOwned()).toThrow(`Process ${process.pid} on ${hostname()} has taken`);
    expect([written, frozen.lost.aborted, errors.length]).toEqual([0, true, 1]);
    await frozen.release();
    await heir.guard(write);
    expect([written, (await readRecord()).number]).toEqual([1, 2]);
    await heir.release();
  });

  it('shows signs of life that others read, and notices with the next that it was replaced', async () => {
    const beats: (() => void)[] = [];
    const repeat = (task: () => void) => {
      beats.push(task);
      return () => void beats.splice(0);
    };
    const owner = await acquireOwnership({ baseDirectory, repeat });
    await age(61);
    beats[0]?.();
    await owner.guard(async () => undefined);
    await expect(acquireOwnership({ baseDirectory })).rejects.toMatchObject({ code: 'owned' });
    await age(61);
    const heir = await acquireOwnership({ baseDirectory });
    beats[0]?.();
    await expect(owner.guard(async () => undefined)).rejects.toMatchObject({ code: 'owned' });
    expect([owner.lost.aborted, beats]).toEqual([true, []]);
    await owner.release();
    await heir.release();
  });

  it('is made where it is not there yet', async () => {
    const owner = await acquireOwnership({ baseDirectory: join(baseDirectory, 'not', 'there') });
    expect(owner.number).toBe(1);
    await owner.release();
  });

  it('shows no more signs of life once it was given back', async () => {
    const beats: (() => void)[] = [];
    const repeat = (task: () => void) => {
      beats.push(task);
      return () => void beats.splice(0);
    };
    const owner = await acquireOwnership({ baseDirectory, repeat });
    expect(beats).toHaveLength(1);
    await owner.release();
    expect(beats).toEqual([]);
  });

  /** Takes the place of a silent owner that is in the middle of a write until the heir has slept so often. */
  async function inheritFromWriting(sleeps: number) {
    const owner = await acquireOwnership({ baseDirectory });
    let finish: () => void = silent;
    const writing = owner.guard(() => new Promise<void>((resolve) => (finish = resolve)));
    await age(61);
    const told: string[] = [];
    const warn = (_: object, message: string) => void told.push(message);
    let slept = 0;
    const heir = await acquireOwnership({
      baseDirectory,
      logger: { debug: silent, info: silent, warn, error: silent },
      sleep: async () => {
        slept += 1;
        if (slept === sleeps) finish();
      },
    });
    await writing;
    await owner.release();
    await heir.release();
    return { number: heir.number, told };
  }
  const ofAWrite = (message: string) => message.includes('stopped in the middle of a write');

  it('waits for what an owner is writing before it takes its place, and says for what [NX-84]', async () => {
    const { number, told } = await inheritFromWriting(20);
    expect([number, told.filter(ofAWrite).length]).toEqual([2, 1]);
  });

  it('says nothing of a write that is over in a moment, as most are [NX-84]', async () => {
    const { number, told } = await inheritFromWriting(3);
    expect([number, told.filter(ofAWrite).length]).toEqual([2, 0]);
  });

  it('lets several writes of one process in at once, and none once it gave the directory back', async () => {
    const owner = await acquireOwnership({ baseDirectory });
    const order: string[] = [];
    let finish: () => void = silent;
    const first = owner.guard(async () => {
      await new Promise<void>((resolve) => (finish = resolve));
      order.push('first');
    });
    await owner.guard(async () => {
      order.push('second');
      finish();
    });
    await first;
    expect(order).toEqual(['second', 'first']);
    await owner.release();
    await owner.release();
    await expect(owner.guard(async () => undefined)).rejects.toMatchObject({ code: 'invalid' });
  });

  it.each(['lock.json', 'lock.held'])(
    'writes nothing more when somebody deletes its %s, and nobody takes its place before it is silent [NX-85]',
    async (name) => {
      const owner = await acquireOwnership({ baseDirectory });
      await rm(join(baseDirectory, name));
      await expect(acquireOwnership({ baseDirectory, sleep: () => age(3) })).rejects.toMatchObject({
        code: 'owned',
      });
      expect(() => owner.requireOwned()).toThrow('was deleted or replaced');
      await expect(owner.guard(async () => undefined)).rejects.toMatchObject({
        code: 'owned',
        message: expect.stringContaining(`${name}", the lock file`),
      });
      await owner.release();
      await (await acquireOwnership({ baseDirectory })).release();
    },
  );

  it('notices at the first write that its lock.json was deleted, and at its next sign of life that its lock.held was [NX-85]', async () => {
    const beats: (() => void)[] = [];
    const repeat = (beat: () => void) => {
      beats.push(beat);
      return () => {};
    };
    const take = () => acquireOwnership({ baseDirectory, repeat });
    const first = await take();
    await rm(recordPath);
    await expect(first.guard(async () => undefined)).rejects.toMatchObject({ code: 'owned' });
    await first.release();
    const second = await take();
    await rm(join(baseDirectory, 'lock.held'));
    const lost = once(second.lost, 'abort');
    beats.at(-1)?.();
    await lost;
    await second.release();
  });

  it('refuses a directory whose owner works on another system, naming what will be for it [NX-86]', async () => {
    await writeFile(recordPath, JSON.stringify(record));
    let beats = 0;
    const sleep = () => age(20 - ++beats);
    await expect(acquireOwnership({ baseDirectory, sleep })).rejects.toMatchObject({
      code: 'owned',
      message: expect.stringMatching(/process 1 on another-machine, another system.*PostgreSQL/s),
    });
  });

  it('waits for a minute of silence after this system was started again, then goes on [NX-86]', async () => {
    await writeFile(recordPath, JSON.stringify(record));
    let waited = 0;
    const sleep = async () => {
      waited += 1;
      if (waited === 5) await age(61);
    };
    const owner = await acquireOwnership({ baseDirectory, sleep });
    expect([waited, owner.number]).toEqual([5, 7]);
    await owner.release();
  });

  it('takes a container on the same kernel for the same system, whatever its host name [NX-86]', async () => {
    const owner = await acquireOwnership({ baseDirectory });
    await writeRecord({ host: 'another-container' });
    await expect(acquireOwnership({ baseDirectory })).rejects.toMatchObject({
      message: expect.stringContaining('on another-container, since'),
    });
    await owner.release();
  });

  it('ends its waiting when it is told to', async () => {
    await writeFile(recordPath, JSON.stringify(record));
    const ending = new AbortController();
    const sleep = async () => ending.abort(new Error('told to end'));
    const { signal } = ending;
    await expect(acquireOwnership({ baseDirectory, sleep, signal })).rejects.toThrow('told to end');
  });

  it('says what to do when the files cannot be written', async () => {
    await writeFile(recordPath, '');
    await expect(acquireOwnership({ baseDirectory: recordPath })).rejects.toMatchObject({
      code: 'storage-failed',
    });
  });
});
