import { getEventListeners } from 'node:events';
import type { WorkOnEntry, WorkResult } from '@agent/run-store';
import { describe, expect, it } from 'vitest';
import { MemoryTaskQueue, type MemoryTaskQueueOptions } from './memory-task-queue.ts';
import type { QueueEntry } from './queue-entry.ts';

const toEntry = (key: string, kind: QueueEntry['kind'] = 'new'): QueueEntry => ({
  key,
  kind,
  platform: 'forge.test',
  runId: null,
});

/** Work on tasks that run until they are told to end. */
function openWork() {
  const log: string[] = [];
  const ends = new Map<string, (result: WorkResult) => void>();
  const workOn: WorkOnEntry<QueueEntry> = async ({ key }) => {
    log.push(`begin ${key}`);
    const { promise, resolve } = Promise.withResolvers<WorkResult>();
    ends.set(key, resolve);
    const result = await promise;
    log.push(`end ${key}`);
    return result;
  };
  const end = (key: string, result: WorkResult = 'done'): void => ends.get(key)?.(result);
  return { log, workOn, end };
}

/** A queue whose alarms ring when they are told to. */
function openQueue(options: Partial<MemoryTaskQueueOptions> = {}) {
  const alarms: { readonly waitMs: number; readonly ring: () => void }[] = [];
  const sleep: MemoryTaskQueueOptions['sleep'] = (waitMs, signal) =>
    new Promise((resolve) => {
      alarms.push({ waitMs, ring: resolve });
      signal.addEventListener('abort', () => resolve());
    });
  const queue = new MemoryTaskQueue({ concurrency: 1, sleep, ...options });
  const ending = new AbortController();
  const { signal } = ending;
  const untilEmpty = (workOn: WorkOnEntry<QueueEntry>) => queue.work(workOn, { signal, untilEmpty: true });
  return { queue, alarms, untilEmpty, signal, end: () => ending.abort() };
}

describe('MemoryTaskQueue', () => {
  it('runs as many tasks at once as it may, in the order they came', async () => {
    const { queue, untilEmpty } = openQueue({ concurrency: 2 });
    const { log, workOn, end } = openWork();
    for (const key of ['a', 'b', 'c']) await queue.add(toEntry(key));
    const worked = untilEmpty(workOn);
    expect(log).toEqual(['begin a', 'begin b']);
    end('a');
    end('b');
    await expect.poll(() => log).toEqual(['begin a', 'begin b', 'end a', 'end b', 'begin c']);
    end('c');
    await worked;
    expect(log).toEqual(['begin a', 'begin b', 'end a', 'end b', 'begin c', 'end c']);
  });

  it('says since when a task waits, and how long one waited that begins [NX-425]', async () => {
    const time = { ms: 10_000 };
    const { queue, signal } = openQueue({ now: () => time.ms });
    await queue.add(toEntry('a'));
    time.ms += 5_000;
    await queue.add(toEntry('b'));
    expect((await queue.waiting()).map(({ since }) => since)).toEqual([10_000, 15_000]);
    time.ms += 60_000;
    const waited: number[] = [];
    const workOn: WorkOnEntry<QueueEntry> = async (_, { waitedMs }) => {
      waited.push(waitedMs);
      return 'done';
    };
    await queue.work(workOn, { signal, untilEmpty: true });
    expect(waited).toEqual([65_000, 60_000]);
  });

  it('begins the highest priority first, and equal ones in the order they came', async () => {
    const { queue, untilEmpty } = openQueue({ toPriority: ({ priority = 0 }) => priority });
    const { log, workOn, end } = openWork();
    await queue.add({ ...toEntry('low'), priority: -10 });
    for (const key of ['a', 'b']) await queue.add(toEntry(key));
    await queue.add({ ...toEntry('urgent'), priority: 10 });
    const order = ['urgent', 'a', 'b', 'low'];
    expect((await queue.waiting()).map(({ key }) => key)).toEqual(order);
    const worked = untilEmpty(workOn);
    for (const key of order) {
      await expect.poll(() => log.at(-1)).toBe(`begin ${key}`);
      end(key);
    }
    await worked;
  });

  it('never has two tasks of one thread, and takes the next when the first has ended', async () => {
    const { queue, untilEmpty } = openQueue({ concurrency: 2 });
    const { workOn, end } = openWork();
    expect(await queue.add(toEntry('a'))).toBe('added');
    const worked = untilEmpty(workOn);
    expect(await queue.add(toEntry('a'))).toBe('known');
    end('a');
    await worked;
    expect(await queue.add(toEntry('a'))).toBe('added');
  });

  it('keeps a thread taken whose task is left for later', async () => {
    for (const [result, added] of [
      ['done', 'added'],
      ['later', 'known'],
    ] as const) {
      const { queue, untilEmpty } = openQueue();
      await queue.add(toEntry('a'));
      await untilEmpty(async () => result);
      expect(await queue.add(toEntry('a'))).toBe(added);
    }
  });

  it('forgets what has not begun', async () => {
    const { queue, signal } = openQueue();
    const { log, workOn, end } = openWork();
    void queue.work(workOn, { signal });
    await queue.add(toEntry('a'));
    await queue.add(toEntry('b'));
    const closed = queue.close();
    end('a');
    await closed;
    expect(log).toEqual(['begin a', 'end a']);
    expect(await queue.add(toEntry('b'))).toBe('added');
  });

  it('begins nothing after its signal, and waits for what runs', async () => {
    const { queue, signal, end: abort } = openQueue();
    const { log, workOn, end } = openWork();
    const worked = queue.work(workOn, { signal });
    await queue.add(toEntry('a'));
    await queue.add(toEntry('b'));
    abort();
    const first = await Promise.race([worked.then(() => 'over'), new Promise(setImmediate)]);
    expect(first).not.toBe('over');
    end('a');
    await worked;
    expect(log).toEqual(['begin a', 'end a']);
    await queue.add(toEntry('c'));
    expect(log).toEqual(['begin a', 'end a']);
  });

  it('ends work that waits for an empty queue when it is closed, and listens to its signal no longer', async () => {
    const { queue, untilEmpty, signal } = openQueue({ holdMs: () => 60_000 });
    await queue.add(toEntry('a'));
    const worked = untilEmpty(openWork().workOn);
    await queue.close();
    await worked;
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('keeps the thread of a run that was left for later, and takes it up again when asked', async () => {
    const { queue, untilEmpty } = openQueue();
    await queue.add(toEntry('a'));
    await untilEmpty(async () => 'later');
    expect(await queue.add(toEntry('a'))).toBe('known');
    expect(await queue.add(toEntry('a', 'interrupted'))).toBe('added');
    const again: QueueEntry[] = [];
    await untilEmpty(async (entry) => {
      again.push(entry);
      return 'done';
    });
    expect(again).toEqual([toEntry('a', 'interrupted')]);
    expect(await queue.add(toEntry('a'))).toBe('added');
  });

  it('begins nothing that is held back, and asks again when the wait is over [NX-49]', async () => {
    let waitMs = 60_000;
    const { queue, alarms, untilEmpty } = openQueue({ holdMs: () => waitMs, now: () => 7_000 });
    const { log, workOn, end } = openWork();
    await queue.add(toEntry('a'));
    const worked = untilEmpty(workOn);
    expect(log).toEqual([]);
    expect(await queue.waiting()).toEqual([{ ...toEntry('a'), since: 7_000 }]);
    expect(alarms.map((alarm) => alarm.waitMs)).toEqual([60_000]);
    waitMs = 0;
    alarms[0]?.ring();
    await expect.poll(() => log).toEqual(['begin a']);
    end('a');
    await worked;
    expect(log).toEqual(['begin a', 'end a']);
  });

  it('begins nothing while everything is paused, and ends a work until it is empty', async () => {
    let isPaused = false;
    const { queue, untilEmpty, signal } = openQueue({ isPaused: async () => isPaused, now: () => 7_000 });
    const { log, workOn, end } = openWork();
    for (const key of ['a', 'b']) await queue.add(toEntry(key));
    const worked = untilEmpty(workOn);
    await expect.poll(() => log).toEqual(['begin a']);
    isPaused = true;
    end('a');
    await worked;
    expect([log, await queue.waiting()]).toEqual([['begin a', 'end a'], [{ ...toEntry('b'), since: 7_000 }]]);
    void queue.work(workOn, { signal });
    isPaused = false;
    queue.beginWaiting();
    await expect.poll(() => log).toContain('begin b');
    end('b');
    await queue.close();
  });

  it('begins nothing while the pause cannot be read, and reads it again', async () => {
    let isReadable = false;
    const isPaused = async () => {
      if (!isReadable) throw new Error('EIO');
      return false;
    };
    const { queue, alarms, untilEmpty } = openQueue({ isPaused });
    const { log, workOn, end } = openWork();
    await queue.add(toEntry('a'));
    const worked = untilEmpty(workOn);
    await expect.poll(() => alarms).toHaveLength(1);
    expect(log).toEqual([]);
    isReadable = true;
    alarms[0]?.ring();
    await expect.poll(() => log).toEqual(['begin a']);
    end('a');
    await worked;
  });

  it('lets others go first whom nothing holds back [NX-49]', async () => {
    const holdMs: MemoryTaskQueueOptions['holdMs'] = ({ key }) => (key === 'a' ? 1_000 : 0);
    const { queue, signal } = openQueue({ holdMs });
    const { log, workOn, end } = openWork();
    void queue.work(workOn, { signal });
    await queue.add(toEntry('a'));
    await queue.add(toEntry('b'));
    end('b');
    await expect.poll(() => log).toEqual(['begin b', 'end b']);
    await queue.close();
  });
});
