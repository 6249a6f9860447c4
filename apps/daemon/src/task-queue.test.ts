import { describe, expect, it } from 'vitest';
import { TaskQueue } from './task-queue.ts';

/** A task that runs until it is told to end. */
function openTask(key: string, log: string[]) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const run = async (): Promise<void> => {
    log.push(`begin ${key}`);
    await promise;
    log.push(`end ${key}`);
  };
  return { task: { key, run }, end: resolve };
}

describe('TaskQueue', () => {
  it('runs as many tasks at once as it may, in the order they came', async () => {
    const queue = new TaskQueue({ concurrency: 2, mayRetry: () => false });
    const log: string[] = [];
    const tasks = ['a', 'b', 'c'].map((key) => openTask(key, log));
    for (const { task } of tasks) queue.add(task);
    await Promise.resolve();
    expect(log).toEqual(['begin a', 'begin b']);
    for (const { end } of tasks) end();
    await queue.whenIdle();
    expect(log).toEqual(['begin a', 'begin b', 'end a', 'end b', 'begin c', 'end c']);
  });

  it('never has two tasks of one thread, and takes the next when the first has ended', async () => {
    const queue = new TaskQueue({ concurrency: 2, mayRetry: () => false });
    const { task, end } = openTask('a', []);
    expect(queue.add(task)).toBe(true);
    expect(queue.add(task)).toBe(false);
    end();
    await queue.whenIdle();
    expect(queue.add(task)).toBe(true);
  });

  it('leaves a thread alone whose task failed, unless the failure passes', async () => {
    for (const passes of [true, false]) {
      const queue = new TaskQueue({ concurrency: 1, mayRetry: () => passes });
      const task = { key: 'a', run: () => Promise.reject(new Error('no')) };
      queue.add(task);
      await queue.whenIdle();
      expect(queue.add(task)).toBe(passes);
    }
  });

  it('forgets what has not begun', async () => {
    const queue = new TaskQueue({ concurrency: 1, mayRetry: () => false });
    const log: string[] = [];
    const [first, second] = ['a', 'b'].map((key) => openTask(key, log));
    if (first === undefined || second === undefined) throw new Error('two tasks');
    queue.add(first.task);
    queue.add(second.task);
    await Promise.resolve();
    queue.clear();
    first.end();
    await queue.whenIdle();
    expect(log).toEqual(['begin a', 'end a']);
  });
});
