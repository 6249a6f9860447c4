import { describe, expect, it } from 'vitest';
import { createThreadQueue } from '../message-handler.ts';
import { createSemaphore } from '../waits.ts';

/** Jobs that say when they begin and end when they are told to. */
function createJobs() {
  const begun: string[] = [];
  const gates = new Map<string, PromiseWithResolvers<void>>();
  return {
    begun,
    job: (name: string) => async (): Promise<void> => {
      const gate = Promise.withResolvers<void>();
      gates.set(name, gate);
      begun.push(name);
      await gate.promise;
    },
    end: async (name: string): Promise<void> => {
      gates.get(name)?.resolve();
      for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
    },
  };
}

describe('createThreadQueue', () => {
  it('does the jobs of a thread in their order and those of others beside them [TC-59]', async () => {
    const { begun, job, end } = createJobs();
    const queue = createThreadQueue({ maxWaiting: 5 });
    for (const [thread, name] of [
      ['a', 'a1'],
      ['a', 'a2'],
      ['b', 'b1'],
      ['a', 'a3'],
    ] as const) {
      expect(queue.push(thread, job(name))).toBe('taken');
    }
    expect(begun).toEqual(['a1', 'b1']);
    await end('b1');
    await end('a1');
    expect(begun).toEqual(['a1', 'b1', 'a2']);
    await end('a2');
    expect(begun.at(-1)).toBe('a3');
    await end('a3');
    queue.push('a', job('a4'));
    expect(begun.at(-1)).toBe('a4');
  });

  it('takes no more than may wait in a thread [TC-59]', async () => {
    const { job, end } = createJobs();
    const queue = createThreadQueue({ maxWaiting: 1 });
    expect(['a1', 'a2', 'a3'].map((name) => queue.push('a', job(name)))).toEqual(['taken', 'taken', 'full']);
    expect(queue.countWaiting('a')).toBe(1);
    expect(queue.push('b', job('b1'))).toBe('taken');
    await end('a1');
    expect(queue.push('a', job('a4'))).toBe('taken');
  });

  it('waits at its end for what is under way, and forgets the rest [TC-59]', async () => {
    const { begun, job, end } = createJobs();
    const queue = createThreadQueue({ maxWaiting: 5 });
    queue.push('a', job('a1'));
    queue.push('a', job('a2'));
    let isClosed = false;
    const closed = queue.close().then(() => {
      isClosed = true;
    });
    expect(queue.push('b', job('b1'))).toBe('closed');
    expect(isClosed).toBe(false);
    await end('a1');
    await closed;
    expect(begun).toEqual(['a1']);
  });
});

const signal = new AbortController().signal;

describe('createSemaphore', () => {
  it('serves so many at once, in their order [TC-59]', async () => {
    const slots = createSemaphore(2);
    const served: number[] = [];
    const releases = [await slots.acquire(signal), await slots.acquire(signal)];
    const waiting = [3, 4].map(async (number) => {
      releases.push(await slots.acquire(signal));
      served.push(number);
    });
    await Promise.resolve();
    expect(served).toEqual([]);
    releases[0]?.();
    releases[0]?.();
    await waiting[0];
    expect(served).toEqual([3]);
    releases[1]?.();
    await waiting[1];
    expect(served).toEqual([3, 4]);
  });

  it('lets nobody in who gave up [TC-59]', async () => {
    const slots = createSemaphore(1);
    const release = await slots.acquire(signal);
    const controller = new AbortController();
    const givenUp = slots.acquire(controller.signal);
    const next = slots.acquire(signal);
    controller.abort(new Error('stopping'));
    await expect(givenUp).rejects.toThrow('stopping');
    await expect(slots.acquire(controller.signal)).rejects.toThrow('stopping');
    release();
    expect(await next).toBeTypeOf('function');
  });
});
