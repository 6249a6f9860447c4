import { expect, it } from 'vitest';
import { waitToRetry } from './call-with-retry.ts';

const transient = (retryAfterMs?: number) =>
  Object.assign(new Error('down'), { code: 'unavailable', retryAfterMs });

it.each([
  ['as long as it is to', transient(), 4_000, [4_000]],
  ['longer where the error asks for it', transient(30_000), 4_000, [30_000]],
  ['not for more than a minute', transient(60_001), 4_000, []],
  ['not after the last try', transient(), null, []],
  ['not for an error that does not go away', new Error('no'), 4_000, []],
])('waits %s before another try', async (_, error, waitMs, waited) => {
  const waits: number[] = [];
  const sleep = async (milliseconds: number) => void waits.push(milliseconds);
  const shutdown = new AbortController().signal;
  expect(await waitToRetry(error, { waitMs, sleep, shutdown })).toBe(waited.length > 0);
  expect(waits).toEqual(waited);
});

it('does not wait once the process is asked to end', async () => {
  const shutdown = AbortSignal.abort();
  const sleep = () => Promise.reject(new Error('it waited'));
  expect(await waitToRetry(transient(), { waitMs: 1_000, sleep, shutdown })).toBe(false);
});
