import { describe, expect, it } from 'vitest';
import { createWaker } from './share-work.ts';

/** Sleeps that end when the test says so, or with their signal; each tells how long it would have been. */
function createSleeps() {
  const lengths: number[] = [];
  let end = (): void => {};
  const sleep = (milliseconds: number, signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      lengths.push(milliseconds);
      end = resolve;
      if (signal.aborted) resolve();
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    sleep,
    lengths,
    end: async () => {
      end();
      await settle();
    },
    settle,
  };
}

const never = new AbortController().signal;

describe('createWaker', () => {
  it('ends a sleep at once when it is woken after the first second', async () => {
    const sleeps = createSleeps();
    const waker = createWaker(sleeps.sleep);
    const slept = waker.sleep(60_000, never);
    await sleeps.end();
    waker.wake();
    await slept;
    expect(sleeps.lengths).toEqual([1_000, 59_000]);
  });

  it('sleeps a second at least, however often it is woken, and needs to be woken again for the next', async () => {
    const sleeps = createSleeps();
    const waker = createWaker(sleeps.sleep);
    waker.wake();
    const first = waker.sleep(60_000, never);
    waker.wake();
    await sleeps.end();
    await first;
    const second = waker.sleep(60_000, never);
    await sleeps.end();
    await sleeps.end();
    await second;
    expect(sleeps.lengths).toEqual([1_000, 1_000, 59_000]);
  });

  it('sleeps once where it is told to sleep a second', async () => {
    const sleeps = createSleeps();
    const slept = createWaker(sleeps.sleep).sleep(1_000, never);
    await sleeps.end();
    await sleeps.end();
    await slept;
    expect(sleeps.lengths).toEqual([1_000]);
  });

  it('sleeps no longer than it is told, and ends with the signal', async () => {
    const sleeps = createSleeps();
    const waker = createWaker(sleeps.sleep);
    const short = waker.sleep(200, never);
    await sleeps.end();
    await short;
    const ending = new AbortController();
    const long = waker.sleep(60_000, ending.signal);
    ending.abort();
    await long;
    expect(sleeps.lengths).toEqual([200, 1_000]);
  });
});
