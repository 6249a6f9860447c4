import { describe, expect, it } from 'vitest';
import { createSemaphore } from './semaphore.ts';

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
