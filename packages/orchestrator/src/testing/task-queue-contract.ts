import assert from 'node:assert/strict';
import { type CustomTaskKey, formatTaskKey } from '@agent/platforms';
import { type ContractCase, type ContractOptions, runContractCase } from '@agent/platforms/testing';
import type { TaskQueue, WorkOnEntry, WorkResult } from '@agent/run-store';
import { describe, it } from 'vitest';
import { type QueueEntry, readTaskKey, toThreadKey } from '../queue/queue-entry.ts';

/** Things that the suite of `TaskQueue` needs. */
export interface TaskQueueFixture {
  /** Opens an empty queue that carries out so many entries at the same time. */
  readonly open: (concurrency: number) => TaskQueue<QueueEntry>;
  /** Opens the same queue once more, as the next process does; one in memory is empty then. */
  readonly reopen: (concurrency: number) => TaskQueue<QueueEntry>;
}

const platform = 'forge.test';
const toKey = (id: string) => formatTaskKey({ type: 'custom', platform, project: 'acme', id });
const toEntry = (name: string, kind: QueueEntry['kind'] = 'new'): QueueEntry => ({
  key: toThreadKey(platform, toKey(name)),
  kind,
  platform,
  runId: kind === 'new' ? null : `run of ${name}`,
});

/** Work on entries that runs until it is told to end. */
function openWork() {
  const begun: string[] = [];
  const running = new Map<string, (result: WorkResult) => void>();
  let mark = (): void => {};
  const workOn: WorkOnEntry<QueueEntry> = async (entry) => {
    const { id: name } = readTaskKey(entry) as CustomTaskKey;
    assert.ok(!running.has(name), `two entries of ${name} run at the same time`);
    begun.push(name);
    const { promise, resolve } = Promise.withResolvers<WorkResult>();
    running.set(name, resolve);
    mark();
    const result = await promise;
    running.delete(name);
    return result;
  };
  return {
    begun,
    running,
    workOn,
    end: (name: string, result: WorkResult = 'done'): void => running.get(name)?.(result),
    /** Resolves when so many entries have begun. */
    whenBegun: async (count: number): Promise<void> => {
      while (begun.length < count) {
        const { promise, resolve } = Promise.withResolvers<void>();
        mark = resolve;
        await promise;
      }
    },
  };
}

/** Lists what waits, as it was added. */
async function listWaiting(queue: TaskQueue<QueueEntry>): Promise<readonly QueueEntry[]> {
  return (await queue.waiting()).map(({ since, ...entry }) => {
    assert.ok(since > 0, 'what waits has to say since when, in milliseconds since 1970');
    return entry;
  });
}

/** Carries out what waits, with one result for all of it. */
async function carryOut(
  queue: TaskQueue<QueueEntry>,
  result: WorkResult = 'done',
): Promise<readonly QueueEntry[]> {
  const done: QueueEntry[] = [];
  const { signal } = new AbortController();
  const workOn: WorkOnEntry<QueueEntry> = async (entry, { waitedMs }) => {
    assert.ok(waitedMs >= 0, 'what begins has to say how many milliseconds it waited');
    done.push(entry);
    return result;
  };
  await queue.work(workOn, { signal, untilEmpty: true });
  return done;
}

/** Every promise of a `TaskQueue`, as functions that need no test runner. */
export const taskQueueCases: readonly ContractCase<TaskQueueFixture>[] = [
  {
    name: 'has every entry carried out once, the first added first [NX-77]',
    run: async ({ open }) => {
      const queue = open(1);
      const entries = Array.from({ length: 12 }, (_, index) => toEntry(`thread ${index}`));
      for (const entry of entries) assert.equal(await queue.add(entry), 'added');
      assert.deepEqual(
        await listWaiting(queue),
        entries,
        'what waits has to be what was added, in its order',
      );
      assert.deepEqual(await carryOut(queue), entries);
      assert.deepEqual(await queue.waiting(), []);
    },
  },
  {
    name: 'gives an entry back as it was added, for it is data, and says since when it waits [NX-77]',
    run: async ({ open }) => {
      const queue = open(1);
      const entry = toEntry('a', 'paused');
      await queue.add(JSON.parse(JSON.stringify(entry)));
      assert.deepEqual(JSON.parse(JSON.stringify(await listWaiting(queue))), [entry]);
      assert.deepEqual(await carryOut(queue), [entry]);
    },
  },
  {
    name: 'carries out as many at once as it may, and the next when one has ended [NX-77]',
    run: async ({ open }) => {
      const queue = open(2);
      const work = openWork();
      for (const key of ['a', 'b', 'c']) await queue.add(toEntry(key));
      const { signal } = new AbortController();
      const worked = queue.work(work.workOn, { signal, untilEmpty: true });
      await work.whenBegun(2);
      assert.deepEqual(await listWaiting(queue), [toEntry('c')]);
      work.end('b');
      await work.whenBegun(3);
      for (const key of ['a', 'c']) work.end(key);
      await worked;
      assert.deepEqual(work.begun, ['a', 'b', 'c']);
    },
  },
  {
    name: 'never has two entries of one thread, waiting or running [NX-77]',
    run: async ({ open }) => {
      const queue = open(2);
      const work = openWork();
      await queue.add(toEntry('a'));
      assert.equal(await queue.add(toEntry('a')), 'known', 'a thread that waits is added again');
      const { signal } = new AbortController();
      const worked = queue.work(work.workOn, { signal, untilEmpty: true });
      await work.whenBegun(1);
      assert.equal(await queue.add(toEntry('a', 'retry')), 'known', 'a thread that runs is added again');
      work.end('a');
      await worked;
      assert.deepEqual(work.begun, ['a']);
      assert.equal(await queue.add(toEntry('a')), 'added', 'a thread that is done is not added again');
    },
  },
  {
    name: 'takes up again what is left for later, once [NX-77]',
    run: async ({ open }) => {
      const queue = open(1);
      await queue.add(toEntry('later'));
      await carryOut(queue, 'later');
      assert.equal(await queue.add(toEntry('later')), 'known', 'a thread left for later begins anew');
      assert.equal(await queue.add(toEntry('later', 'interrupted')), 'added', 'what was left is lost');
      assert.equal(
        await queue.add(toEntry('later', 'interrupted')),
        'known',
        'what was left is taken up twice',
      );
      assert.deepEqual(await carryOut(queue), [toEntry('later', 'interrupted')]);
      assert.equal(await queue.add(toEntry('later')), 'added');
    },
  },
  {
    name: 'knows a thread while an entry of it waits, runs or is left for later [NX-77]',
    run: async ({ open }) => {
      const queue = open(1);
      const { key } = toEntry('a');
      assert.equal(await queue.knows(key), false);
      await queue.add(toEntry('a'));
      assert.equal(await queue.knows(key), true, 'it does not know what waits');
      await carryOut(queue, 'later');
      assert.equal(await queue.knows(key), true, 'it does not know what is left for later');
      await queue.add(toEntry('a', 'interrupted'));
      const { signal } = new AbortController();
      const work = openWork();
      const worked = queue.work(work.workOn, { signal, untilEmpty: true });
      await work.whenBegun(1);
      assert.equal(await queue.knows(key), true, 'it does not know what runs');
      work.end('a');
      await worked;
      assert.equal(await queue.knows(key), false, 'it knows what is done');
    },
  },
  {
    name: 'begins nothing after its signal, and ends when what runs has ended [NX-77]',
    run: async ({ open }) => {
      const queue = open(1);
      const work = openWork();
      const ending = new AbortController();
      const worked = queue.work(work.workOn, { signal: ending.signal });
      for (const key of ['a', 'b']) await queue.add(toEntry(key));
      await work.whenBegun(1);
      ending.abort();
      let isOver = false;
      const over = worked.then(() => {
        isOver = true;
      });
      await queue.waiting();
      assert.equal(isOver, false, 'the work is over while an entry runs');
      work.end('a');
      await over;
      assert.deepEqual(work.begun, ['a']);
    },
  },
  {
    name: 'leaves what has not begun to the next process when it is closed: offered again, it is carried out once [NX-77]',
    run: async ({ open, reopen }) => {
      const queue = open(1);
      await queue.add(toEntry('a'));
      await queue.close();
      const next = reopen(1);
      await next.add(toEntry('a'));
      assert.deepEqual(await carryOut(next), [toEntry('a')]);
      assert.equal(await next.add(toEntry('a')), 'added');
    },
  },
];

/** The tests that every `TaskQueue` passes. */
export function taskQueueContract({ name, create }: ContractOptions<TaskQueueFixture>): void {
  describe(`${name} as a TaskQueue`, () => {
    for (const one of taskQueueCases) it(one.name, () => runContractCase(one, create));
  });
}
