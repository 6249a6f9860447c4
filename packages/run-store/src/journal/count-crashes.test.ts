import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { useDirectory } from '../../test/use-directory.ts';
import { createFileRunStore } from '../file/file-run-store.ts';
import { calls, gives, newRun, parseMessage, says } from '../testing/store-setup.ts';

const directory = useDirectory();
let uuid: string;
beforeEach(async () => {
  uuid = randomUUID();
  const { journal, crashesInARow } = await startProcess().open(newRun(uuid));
  expect(crashesInARow).toBe(0);
  await journal.append(says('user', 'Mend it.'));
});

// A store stands for a process: what it opened before is its own.
const startProcess = (options = {}) =>
  createFileRunStore({ baseDirectory: directory.path, parseMessage, ...options });
const restore = () => startProcess().restore(uuid);

describe('the count of crashes in a row', () => {
  it('grows with each process that dies without a completed step [RL-10, X16]', async () => {
    for (const count of [1, 2, 3]) expect((await restore()).crashesInARow).toBe(count);
  });

  it('begins again after a completed step [RL-10, X16]', async () => {
    await restore();
    const { journal, crashesInARow } = await restore();
    expect(crashesInARow).toBe(2);
    await journal.append(calls('1', '2'));
    await journal.append(gives('1'));
    await journal.append(gives('2'));
    expect((await restore()).crashesInARow).toBe(1);
    expect((await restore()).crashesInARow).toBe(2);
  });

  it('does not take a step for completed that died in a tool, though it is answered later [RL-10]', async () => {
    for (const count of [1, 2, 3]) {
      const { journal, crashesInARow } = await restore();
      expect(crashesInARow).toBe(count);
      // What the last process left open is answered first, then the model calls the deadly tool again.
      if (count > 1) await journal.append(gives(`${count - 1}b`));
      await journal.append(calls(`${count}a`, `${count}b`));
      await journal.append(gives(`${count}a`));
    }
  });

  it('takes a final answer for a completed step, and comments for none [RL-10]', async () => {
    const first = await restore();
    await first.journal.append({
      ...says('assistant', 'Done.'),
      usage: { inputTokens: 1, outputTokens: 1 },
    });
    const second = await restore();
    expect(second.crashesInARow).toBe(1);
    await second.journal.append(says('user', 'And the tests?'));
    expect((await restore()).crashesInARow).toBe(2);
  });

  it('leaves out a process that gave the run back in order, and forgets nothing by it [RL-10, RL-12, X16]', async () => {
    const first = await restore();
    await first.leave();
    const second = await restore();
    expect(second.crashesInARow).toBe(1);
    await second.leave();
    expect((await restore()).crashesInARow).toBe(1);
    expect((await restore()).crashesInARow).toBe(2);
  });

  it('leaves out a run that was left at its first process [RL-12]', async () => {
    const other = randomUUID();
    await (await startProcess().open(newRun(other))).leave();
    expect((await startProcess().restore(other)).crashesInARow).toBe(0);
  });

  it('counts a crash in the middle of a restore as well [RL-10]', async () => {
    const die = () => {
      throw new Error('killed');
    };
    await expect(startProcess({ afterSync: die }).restore(uuid)).rejects.toThrow();
    await expect(startProcess({ afterSync: die }).restore(uuid)).rejects.toThrow();
    expect((await restore()).crashesInARow).toBe(3);
  });

  it('is not touched by a process that opens its own run again [RL-10]', async () => {
    const store = startProcess();
    expect((await store.restore(uuid)).crashesInARow).toBe(1);
    expect((await store.restore(uuid)).crashesInARow).toBe(1);
    expect((await store.open(newRun(uuid))).crashesInARow).toBe(1);
  });

  it('begins again after a pause, which is no death in a row [RL-10, X16]', async () => {
    await restore();
    for (let round = 0; round < 3; round += 1) {
      await startProcess().pause(uuid, { lastError: null, planningState: null });
      expect((await startProcess().resume(uuid)).crashesInARow).toBe(0);
    }
    expect((await restore()).crashesInARow).toBe(1);
  });

  it('needs no directory any more once the run has ended', async () => {
    const store = startProcess();
    const { leave } = await store.restore(uuid);
    await store.finish(uuid);
    await expect(leave()).resolves.toBeUndefined();
  });
});
