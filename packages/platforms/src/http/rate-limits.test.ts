import { describe, expect, it } from 'vitest';
import { createPace, type PaceOptions, waitOutLimit } from './rate-limits.ts';

const read = { isWrite: false, maxWaitMs: 60_000 };
const write = { isWrite: true, maxWaitMs: 60_000 };

/** A clock that moves only by the waits of the pace. */
function onClock(options: Partial<PaceOptions> = {}) {
  let time = 1_000_000;
  const waits: number[] = [];
  const pace = createPace({
    service: 'GitLab',
    maxRequestsPerMinute: 300,
    writeSpacingMs: 1000,
    monotonicNow: () => time,
    sleep: async (milliseconds) => {
      waits.push(milliseconds);
      time += milliseconds;
    },
    logger: { debug() {}, info() {}, warn() {}, error() {} },
    ...options,
  });
  const pass = (milliseconds: number) => {
    time += milliseconds;
  };
  return { pace, waits, pass };
}

describe('createPace', () => {
  it('lets reads through at once, and leaves the spacing between writes', async () => {
    const { pace, waits, pass } = onClock();
    for (const request of [write, read]) await pace.enter(request);
    expect(waits).toEqual([]);
    for (const request of [write, write]) await pace.enter(request);
    expect(waits).toEqual([1000, 1000]);
    pass(5000);
    await pace.enter(write);
    expect(waits).toHaveLength(2);
  });

  it('gives writes that come together places of their own', async () => {
    const waits: number[] = [];
    const sleep: PaceOptions['sleep'] = async (milliseconds) => {
      waits.push(milliseconds);
    };
    const { pace } = onClock({ sleep });
    await Promise.all([pace.enter(write), pace.enter(write), pace.enter(write)]);
    expect(waits).toEqual([1000, 2000]);
  });

  it('makes no more requests than the limit within any minute [CD-57]', async () => {
    const { pace, waits, pass } = onClock({ maxRequestsPerMinute: 3 });
    for (let index = 0; index < 3; index += 1) {
      await pace.enter(read);
      pass(10_000);
    }
    await pace.enter(read);
    expect(waits).toEqual([30_000]);
    await pace.enter(read);
    expect(waits).toEqual([30_000, 10_000]);
  });

  it('says that it waits for the minute, and not that it leaves time between writes [CD-57]', async () => {
    const warned: object[] = [];
    const logger = { debug() {}, info() {}, warn: (fields: object) => void warned.push(fields), error() {} };
    const { pace, waits, pass } = onClock({ maxRequestsPerMinute: 1, writeSpacingMs: 90_000, logger });
    await pace.enter({ ...write, maxWaitMs: 120_000 });
    pass(60_000);
    await pace.enter({ ...write, maxWaitMs: 120_000 });
    expect([waits, warned]).toEqual([[30_000], []]);
    await pace.enter(read);
    expect([waits, warned]).toEqual([[30_000, 60_000], [{ waitMs: 60_000 }]]);
  });

  it('knows a limit of one request a minute [CD-57]', async () => {
    const { pace, waits } = onClock({ maxRequestsPerMinute: 1 });
    for (let index = 0; index < 3; index += 1) await pace.enter(read);
    expect(waits).toEqual([60_000, 60_000]);
  });

  it('refuses at once who would wait too long, and takes no place for it [CD-57] [CD-58]', async () => {
    const { pace, waits, pass } = onClock({ maxRequestsPerMinute: 1 });
    await pace.enter(read);
    pass(20_000);
    await expect(pace.enter({ ...read, maxWaitMs: 0 })).rejects.toMatchObject({
      code: 'rate-limited',
      retryAfterMs: 40_000,
      message: expect.stringContaining('maxRequestsPerMinute'),
    });
    pass(40_000);
    await pace.enter({ ...read, maxWaitMs: 0 });
    expect(waits).toEqual([]);
  });
});

describe('waitOutLimit', () => {
  it('says that it waits, and waits as long as the server asks, twice for a call [CD-57]', async () => {
    const waits: number[] = [];
    const warned: object[] = [];
    const settings = {
      sleep: async (milliseconds: number) => void waits.push(milliseconds),
      logger: { debug() {}, info() {}, warn: (fields: object) => void warned.push(fields), error() {} },
    };
    const limit = { waitMs: 60_000, maxWaitMs: 60_000 };
    const outcomes: boolean[] = [];
    for (const waits of [0, 1, 2]) outcomes.push(await waitOutLimit({ ...limit, waits }, settings));
    outcomes.push(await waitOutLimit({ ...limit, waits: 0, maxWaitMs: 59_999 }, settings));
    expect(outcomes).toEqual([true, true, false, false]);
    expect(waits).toEqual([60_000, 60_000]);
    expect(warned).toEqual([{ waitMs: 60_000 }, { waitMs: 60_000 }]);
  });
});
