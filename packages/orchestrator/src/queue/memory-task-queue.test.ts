import { describe, expect, it } from 'vitest';
import { DeferredError } from '../run/left-for-later.ts';
import type { PendingTask } from './pending-task.ts';
import { TaskQueue, type TaskQueueOptions } from './task-queue.ts';

const platform = {
  platform: { host: 'forge.test' },
  runWaitMs: () => 0,
} as unknown as PendingTask['platform'];

/** A task that runs until it is told to end. */
function openTask(key: string, log: string[]) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const run = async (): Promise<void> => {
    log.push(`begin ${key}`);
    await promise;
    log.push(`end ${key}`);
  };
  return { task: { key, platform, run }, end: resolve };
}

/** A queue whose alarms ring when they are told to. */
function openQueue(options: Partial<TaskQueueOptions> = {}) {
  const alarms: { readonly waitMs: number; readonly ring: () => void }[] = [];
  const sleep: TaskQueueOptions['sleep'] = (waitMs, signal) =>
    new Promise((resolve) => {
      alarms.push({ waitMs, ring: resolve });
      signal.addEventListener('abort', () => resolve());
    });
  const queue = new TaskQueue({ concurrency: 1, mayRetry: () => false, sleep, ...options });
  return { queue, alarms };
}

describe('TaskQueue', () => {
  it('runs as many tasks at once as it may, in the order they came', async () => {
    const { queue } = openQueue({ concurrency: 2 });
    const log: string[] = [];
    const tasks = ['a', 'b', 'c'].map((key) => openTask(key, log));
    for (const { task } of tasks) queue.add(task);
    expect(log).toEqual(['begin a', 'begin b']);
    for (const { end } of tasks) end();
    await queue.whenIdle();
    expect(log).toEqual(['begin a', 'begin b', 'end a', 'end b', 'begin c', 'end c']);
  });

  it('never has two tasks of one thread, and takes the next when the first has ended', async () => {
    const { queue } = openQueue({ concurrency: 2 });
    const { task, end } = openTask('a', []);
    expect(queue.add(task)).toBe(true);
    expect(queue.add(task)).toBe(false);
    end();
    await queue.whenIdle();
    expect(queue.add(task)).toBe(true);
  });

  it('leaves a thread alone whose task failed, unless the failure passes', async () => {
    for (const passes of [true, false]) {
      const { queue } = openQueue({ mayRetry: () => passes });
      const task = { key: 'a', platform, run: () => Promise.reject(new Error('no')) };
      queue.add(task);
      await queue.whenIdle();
      expect(queue.add(task)).toBe(passes);
    }
  });

  it('forgets what has not begun', async () => {
    const { queue } = openQueue();
    const log: string[] = [];
    const [first, second] = ['a', 'b'].map((key) => openTask(key, log));
    if (first === undefined || second === undefined) throw new Error('two tasks');
    queue.add(first.task);
    queue.add(second.task);
    queue.clear();
    first.end();
    await queue.whenIdle();
    expect(log).toEqual(['begin a', 'end a']);
    expect(queue.add(second.task)).toBe(true);
  });

  it('keeps the thread of a run that was left for later, and takes it up again when asked', async () => {
    const { queue } = openQueue();
    const log: string[] = [];
    const again = async (): Promise<void> => void log.push('again');
    const task = { key: 'a', platform, run: () => Promise.reject(new DeferredError(again, { cause: null })) };
    queue.add(task);
    await queue.whenIdle();
    expect(queue.countLater()).toBe(1);
    expect(queue.add(task)).toBe(false);
    queue.retryLater();
    await queue.whenIdle();
    expect(log).toEqual(['again']);
  });

  it('begins nothing that is held back, says why, and asks again when the wait is over [NX-49]', async () => {
    let waitMs = 60_000;
    const holdBack = () => (waitMs > 0 ? { reason: 'the request budget of forge.test', waitMs } : null);
    const { queue, alarms } = openQueue({ holdBack });
    const log: string[] = [];
    const { task, end } = openTask('a', log);
    queue.add(task);
    expect(log).toEqual([]);
    expect(queue.waiting()).toEqual(['a']);
    expect(queue.hold()).toEqual({ reason: 'the request budget of forge.test', waitMs: 60_000 });
    expect(alarms.map((alarm) => alarm.waitMs)).toEqual([60_000]);
    waitMs = 0;
    alarms[0]?.ring();
    end();
    await queue.whenIdle();
    expect(log).toEqual(['begin a', 'end a']);
    expect(queue.hold()).toBeNull();
  });

  it('lets others go first whom nothing holds back [NX-49]', async () => {
    const holdBack: TaskQueueOptions['holdBack'] = ({ key }) =>
      key === 'a' ? { reason: 'its platform', waitMs: 1_000 } : null;
    const { queue } = openQueue({ holdBack });
    const log: string[] = [];
    const [first, second] = ['a', 'b'].map((key) => openTask(key, log));
    if (first === undefined || second === undefined) throw new Error('two tasks');
    queue.add(first.task);
    queue.add(second.task);
    second.end();
    await expect.poll(() => log).toEqual(['begin b', 'end b']);
    queue.clear();
    await queue.whenIdle();
    expect(queue.hold()).toBeNull();
  });
});
