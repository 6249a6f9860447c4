import { describe, expect, it } from 'vitest';
import { PlatformError } from '../platform-error.ts';
import { createLimitMemory, namesTime } from './limit-memory.ts';

const read = { resource: 'core', isWrite: false };
const write = { resource: 'core', isWrite: true };
const search = { resource: 'search', isWrite: false };

function onClock() {
  const clock = { ms: 1_000_000 };
  const waits: number[] = [];
  const sleep = async (milliseconds: number) => {
    waits.push(milliseconds);
    clock.ms += milliseconds;
  };
  const limits = createLimitMemory({ monotonicNow: () => clock.ms, sleep });
  const isLetIn = (request: typeof read) =>
    limits.enter({ ...request, maxWaitMs: 0 }).then(
      () => true,
      () => false,
    );
  return { clock, waits, limits, isLetIn };
}

const refusal = (retryAfterMs: number) =>
  new PlatformError('Could not list: a rate limit is reached.', { code: 'rate-limited', retryAfterMs });

describe('createLimitMemory', () => {
  it('lets no request in before the time that a refused read named', async () => {
    const { clock, limits, isLetIn } = onClock();
    limits.note(read, refusal(90_000));
    clock.ms += 89_999;
    await expect(limits.enter({ ...read, maxWaitMs: 0 })).rejects.toMatchObject({
      ...{ code: 'rate-limited', retryAfterMs: 1 },
    });
    expect([await isLetIn(write), await isLetIn(search)]).toEqual([false, true]);
    clock.ms += 1;
    expect([await isLetIn(read), await isLetIn(write)]).toEqual([true, true]);
  });

  it('lets reads in after a refused write', async () => {
    const { limits, isLetIn } = onClock();
    limits.note(write, refusal(60_000));
    expect([await isLetIn(write), await isLetIn(read)]).toEqual([false, true]);
  });

  it('waits for a caller that has the time', async () => {
    const { limits, waits } = onClock();
    limits.note(read, refusal(30_000));
    await limits.enter({ ...read, maxWaitMs: 60_000 });
    expect(waits).toEqual([30_000]);
  });

  it('believes no time beyond an hour, and no other error', async () => {
    const { clock, limits, isLetIn } = onClock();
    limits.note(write, new PlatformError('no', { code: 'forbidden', retryAfterMs: 60_000 }));
    expect(await isLetIn(write)).toBe(true);
    limits.note(read, refusal(26 * 3_600_000));
    clock.ms += 3_601_000;
    expect(await isLetIn(read)).toBe(true);
  });
});

describe('namesTime', () => {
  it.each([
    [{ 'retry-after': '7' }, true],
    [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1700000000' }, true],
    [{ 'ratelimit-reset': '1700000000' }, true],
    [{ 'x-ratelimit-remaining': '12', 'x-ratelimit-reset': '1700000000' }, false],
    [{}, false],
  ])('reads %j as %s', (headers, expected) => {
    expect(namesTime(Object.assign(new Error('429'), { response: { headers } }))).toBe(expected);
    expect(namesTime(new Error('ECONNRESET'))).toBe(false);
  });
});
