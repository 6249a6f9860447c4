import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RequestRecord } from '../model.ts';
import { createRequestBudget, type RequestBudgetOptions } from './request-budget.ts';
import type { RunHold } from './request-limits.ts';

/** Milliseconds until all limits have room. */
const longest = (holds: readonly RunHold[] = []) => Math.max(0, ...holds.map(({ waitMs }) => waitMs));

const comments = '/repos/{owner}/{repo}/issues/comments';
const look: RequestRecord = { method: 'GET', route: `GET ${comments}`, status: 200, counted: true };
const free: RequestRecord = { ...look, status: 304, counted: false };
const read: RequestRecord = { ...look, route: 'GET /repos/{owner}/{repo}' };
const label: RequestRecord = { ...look, method: 'DELETE', route: 'DELETE /labels/{name}' };
const comment: RequestRecord = { ...look, method: 'POST', route: `POST ${comments}` };

const primary = (remaining: number, resetAt: number) => ({
  primary: { limit: 5000, remaining, resetAt },
  retryAfterMs: null,
});

function onClock(options: RequestBudgetOptions = {}) {
  const clock = { time: 1_000_000 };
  const budget = createRequestBudget({ now: () => clock.time, ...options });
  const make = (record: RequestRecord, times: number) => {
    for (let index = 0; index < times; index += 1) budget.record(record);
  };
  return { budget, clock, make };
}

describe('createRequestBudget', () => {
  it('gives looks half of the points of a minute, and writes the rest [CD-57]', () => {
    const { budget, clock, make } = onClock();
    make(free, 449);
    expect(budget.waitMs('poll')).toBe(0);
    make(free, 1);
    clock.time += 20_000;
    expect(budget.waitMs('poll')).toBe(40_000);
    expect(budget.waitMs('write')).toBe(0);
    make(label, 90);
    expect(budget.waitMs('write')).toBe(40_000);
    clock.time += 40_000;
    expect(budget.waitMs('write')).toBe(0);
  });

  it('counts a write as five reads [CD-57]', () => {
    const { budget, make } = onClock({ pointsPerMinute: 10 });
    make(label, 1);
    expect(budget.waitMs('write')).toBe(0);
    make(read, 1);
    expect(budget.waitMs('write')).toBe(60_000);
    expect(budget.waitMs('read')).toBe(0);
  });

  it('counts a write as one where the platform counts requests [CD-57]', () => {
    const { budget, make } = onClock({ pointsPerMinute: 10, pointsPerWrite: 1 });
    make(label, 9);
    expect(budget.waitMs('write')).toBe(0);
    make(label, 1);
    expect(budget.waitMs('write')).toBe(60_000);
  });

  it('lets 80 contents be created in a minute, other writes apart [CD-57]', () => {
    const { budget, clock, make } = onClock();
    make(comment, 79);
    make(read, 100);
    expect(budget.waitMs('content')).toBe(0);
    clock.time += 1000;
    make(comment, 1);
    expect(budget.waitMs('content')).toBe(59_000);
    expect(budget.waitMs('write')).toBe(0);
  });

  it('keeps a part of the primary limit from looks, by what the platform says is left [CD-57]', () => {
    const { budget, clock, make } = onClock();
    const resetAt = clock.time + 600_000;
    make({ ...read, limits: primary(1001, resetAt) }, 1);
    expect(budget.waitMs('poll')).toBe(0);
    make({ ...read, limits: primary(1000, resetAt) }, 1);
    expect(budget.waitMs('poll')).toBe(600_000);
    expect([budget.waitMs('read'), budget.waitMs('content')]).toEqual([0, 0]);
    make({ ...read, limits: primary(0, resetAt) }, 1);
    expect(budget.waitMs('write')).toBe(600_000);
    clock.time = resetAt;
    expect(budget.waitMs('poll')).toBe(0);
  });

  it('keeps everything back as long as a refusal asks for [CD-57] [CD-58]', () => {
    const { budget, clock, make } = onClock();
    make({ ...read, status: 403, limits: { primary: null, retryAfterMs: 90_000 } }, 1);
    expect([budget.waitMs('poll'), budget.waitMs('content')]).toEqual([90_000, 90_000]);
    clock.time += 90_000;
    expect(budget.waitMs('poll')).toBe(0);
  });

  it('leaves the quiet alone for longer, up to a limit [CD-57]', () => {
    const poller = onClock().budget.open();
    expect([0, 60_000, 300_000, 3_600_000].map(poller.intervalMs)).toEqual([10_000, 10_000, 50_000, 90_000]);
  });

  it('spreads those who look over the points of a minute [CD-57]', () => {
    const { budget } = onClock();
    const pollers = Array.from({ length: 150 }, () => budget.open());
    expect(pollers[0]?.intervalMs(0)).toBe(20_000);
    for (const poller of pollers.slice(1)) poller.close();
    expect(pollers[0]?.intervalMs(0)).toBe(10_000);
  });

  it('spreads them further where a look takes several requests [CD-57]', () => {
    const { budget } = onClock({ requestsPerPoll: 2 });
    const pollers = Array.from({ length: 150 }, () => budget.open());
    expect(pollers[0]?.intervalMs(0)).toBe(40_000);
  });

  it('spreads the looks that count over the time until the limit begins anew; free ones it does not [CD-57]', () => {
    const { budget, clock, make } = onClock();
    const pollers = Array.from({ length: 50 }, () => budget.open());
    const limits = primary(5000, clock.time + 3_600_000);
    make({ ...look, limits }, 100);
    expect(pollers[0]?.intervalMs(0)).toBe((50 * 3_600_000) / 2000);
    make({ ...free, limits }, 5000);
    expect(pollers[0]?.intervalMs(0)).toBe(10_000);
  });

  it('forgets half of the looks behind it from the two hundredth on, so that a change of them is noticed [CD-57]', () => {
    const { budget, clock, make } = onClock();
    const pollers = Array.from({ length: 50 }, () => budget.open());
    const limits = primary(5000, clock.time + 3_600_000);
    const intervalOf = (counted: number, all: number) => (50 * (counted / all) * 3_600_000) / 2000;
    make({ ...look, limits }, 200);
    make({ ...free, limits }, 1);
    expect(pollers[0]?.intervalMs(0)).toBeCloseTo(intervalOf(100, 101));
    make({ ...look, limits }, 1);
    expect(pollers[0]?.intervalMs(0)).toBeCloseTo(intervalOf(101, 102));
  });

  it('counts as looks what lists comments, and no other read or write [CD-57]', () => {
    const { budget, clock, make } = onClock();
    const pollers = Array.from({ length: 50 }, () => budget.open());
    const limits = primary(5000, clock.time + 3_600_000);
    for (const other of [read, label, comment]) make({ ...other, counted: false, limits }, 20);
    expect(pollers[0]?.intervalMs(0)).toBe((50 * 3_600_000) / 2000);
    make({ ...free, limits }, 20);
    expect(pollers[0]?.intervalMs(0)).toBe(10_000);
  });

  it('takes a share that is used up for "not due yet", and makes a needed look all the same [NX-48]', () => {
    const { budget, clock, make } = onClock();
    const poller = budget.open();
    make(free, 450);
    expect(poller.admit({ isNeeded: false })).toBe(false);
    expect(poller.admit({ isNeeded: true })).toBe(true);
    make(label, 1_000);
    expect(poller.admit({ isNeeded: true })).toBe(true);
    clock.time += 60_000;
    expect(poller.admit({ isNeeded: false })).toBe(true);
  });

  it('keeps routine looks back when the hour is short, and needed ones only as the platform does [NX-48]', () => {
    const { budget, clock, make } = onClock();
    const poller = budget.open();
    const resetAt = clock.time + 3_600_000;
    make({ ...look, limits: primary(900, resetAt) }, 1);
    expect(poller.admit({ isNeeded: false })).toBe(false);
    expect(poller.admit({ isNeeded: true })).toBe(true);
    make({ ...look, limits: primary(0, resetAt) }, 1);
    expect(() => poller.admit({ isNeeded: true })).toThrow(
      expect.objectContaining({ code: 'rate-limited', retryAfterMs: 3_600_000 }),
    );
  });

  it('lets a run begin when requests are left for it and for those under way [NX-49]', () => {
    const { budget, clock, make } = onClock({ requestsPerRun: 30 });
    expect(longest(budget.runHolds(99))).toBe(0);
    const resetAt = clock.time + 600_000;
    make({ ...read, limits: primary(90, resetAt) }, 1);
    expect(longest(budget.runHolds(2))).toBe(0);
    expect(longest(budget.runHolds(3))).toBe(600_000);
    clock.time = resetAt;
    expect(longest(budget.runHolds(3))).toBe(0);
  });

  it('tells what is left of the primary limit, all of it once its window is over [NX-363]', () => {
    const { budget, clock, make } = onClock({});
    expect(budget.left()).toBeNull();
    const resetsAt = clock.time + 600_000;
    make({ ...read, limits: primary(90, resetsAt) }, 1);
    const limit = primary(90, resetsAt).primary?.limit;
    expect(budget.left()).toEqual({ left: 90, limit, resetsAt });
    clock.time = resetsAt;
    expect(budget.left()).toEqual({ left: limit, limit, resetsAt: null });
  });

  it('tells how much can still be created within the hour; nothing without such a limit [NX-426]', () => {
    const { budget, clock, make } = onClock({ contentsPerHour: 10 });
    make(comment, 7);
    make(label, 3);
    expect(budget.contentsLeft()).toEqual({ left: 3, limit: 10 });
    make(comment, 5);
    expect(budget.contentsLeft()).toEqual({ left: 0, limit: 10 });
    clock.time += 3_600_000;
    expect(budget.contentsLeft()).toEqual({ left: 10, limit: 10 });
    expect(onClock({ contentsPerHour: Number.POSITIVE_INFINITY }).budget.contentsLeft()).toBeNull();
  });

  it('lets no more runs begin than may write their comments within the hour [NX-49]', () => {
    const { budget, clock, make } = onClock({ contentsPerHour: 10, contentsPerRun: 3 });
    make(comment, 4);
    clock.time += 60_000;
    expect(longest(budget.runHolds(1))).toBe(0);
    expect(longest(budget.runHolds(2))).toBe(3_540_000);
    clock.time += 3_540_000;
    expect(longest(budget.runHolds(2))).toBe(0);
  });

  it('lets a run begin whatever was read and labeled within the hour: only comments are counted for it [NX-49]', () => {
    const { budget, clock, make } = onClock({ contentsPerHour: 10, contentsPerRun: 3 });
    for (const record of [look, read, label]) make(record, 20);
    clock.time += 60_000;
    expect(longest(budget.runHolds(1))).toBe(0);
  });

  it('lets a run begin when a minute that is kept by ourselves has room for its first requests [NX-49]', () => {
    const { budget, clock, make } = onClock({ pointsPerMinute: 300, pointsPerStart: 10 });
    make(read, 290);
    expect(longest(budget.runHolds(0))).toBe(0);
    make(read, 1);
    expect(longest(budget.runHolds(0))).toBe(60_000);
    clock.time += 60_000;
    expect(longest(budget.runHolds(0))).toBe(0);
  });

  it('lets a run begin whatever was asked in the last minute, where the platform bears a burst [NX-49]', () => {
    const { budget, make } = onClock();
    make(read, 2_000);
    expect(longest(budget.runHolds(0))).toBe(0);
  });

  it('lets a run begin under a limit that is smaller than its needs [NX-49]', () => {
    const { budget, clock, make } = onClock({ requestsPerRun: 30 });
    const limits = {
      primary: { limit: 20, remaining: 19, resetAt: clock.time + 60_000 },
      retryAfterMs: null,
    };
    make({ ...read, limits }, 1);
    expect(longest(budget.runHolds(0))).toBe(0);
  });

  it('never keeps a needed look back while the platform answers, whatever was asked before [NX-48]', () => {
    const records = [look, free, read, label, comment];
    const step = fc.record({
      record: fc.constantFrom(...records),
      times: fc.integer({ min: 1, max: 400 }),
      remaining: fc.integer({ min: 0, max: 5000 }),
      passMs: fc.integer({ min: 0, max: 90_000 }),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 30 }), (steps) => {
        const { budget, clock, make } = onClock();
        const poller = budget.open();
        const resetAt = clock.time + 3_600_000;
        for (const { record, times, remaining, passMs } of steps) {
          make({ ...record, limits: primary(remaining, resetAt) }, times);
          clock.time += passMs;
          const refuses = remaining === 0 && clock.time < resetAt;
          if (refuses) expect(() => poller.admit({ isNeeded: true })).toThrow();
          else expect(poller.admit({ isNeeded: true })).toBe(true);
        }
      }),
    );
  });

  it('lets a doorbell hurry looks until less is left than an even spread leaves, to the request [CD-57]', () => {
    const { budget, clock, make } = onClock();
    const resetAt = clock.time + 3_600_000;
    make({ ...look, limits: primary(4_800, resetAt) }, 100);
    expect(budget.urgentDelayMs()).toBe(0);
    make({ ...look, limits: primary(4_799, resetAt) }, 1);
    expect(budget.urgentDelayMs()).toBe(60_000);
  });

  it('holds back a hurried look for looks alone, and until the limit begins anew where no part is left for them [CD-57]', () => {
    const { budget, clock, make } = onClock();
    const resetAt = clock.time + 3_600_000;
    make({ ...read, limits: primary(2_000, resetAt) }, 100);
    expect(budget.urgentDelayMs()).toBe(0);
    make({ ...read, limits: primary(1_000, resetAt) }, 1);
    expect(budget.urgentDelayMs()).toBe(3_600_000);
  });

  it('spreads looks that cost nothing over the hour all the same where nothing is left for them [CD-57]', () => {
    const { budget, clock, make } = onClock();
    make({ ...free, limits: primary(1_000, clock.time + 3_600_000) }, 400);
    expect(budget.open().intervalMs(0)).toBe(3_600_000);
  });

  it('lets a doorbell hurry looks as long as an hour of them fits into the limit, then spreads what is left [CD-57]', () => {
    const { budget, clock, make } = onClock();
    const resetAt = clock.time + 3_600_000;
    const recordRemaining = (remaining: number) => make({ ...look, limits: primary(remaining, resetAt) }, 1);
    expect(budget.urgentDelayMs()).toBe(0);
    recordRemaining(4_999);
    expect(budget.urgentDelayMs()).toBe(0);
    // An even spread of the 4,000 that looks may take, less a twentieth, leaves 3,800 at the beginning.
    recordRemaining(4_801);
    expect(budget.urgentDelayMs()).toBe(0);
    // 3,600 are left for sixty minutes, and one takes no more than sixty of them.
    make(look, 55);
    clock.time += 20_000;
    recordRemaining(4_600);
    expect(budget.urgentDelayMs()).toBe(0);
    make(look, 2);
    expect(budget.urgentDelayMs()).toBe(40_000);
    clock.time += 40_000;
    expect(budget.urgentDelayMs()).toBe(0);
    // Half the hour later as much is left as is due.
    clock.time += 1_800_000;
    recordRemaining(3_000);
    expect(budget.urgentDelayMs()).toBe(0);
    recordRemaining(1_000);
    expect(budget.urgentDelayMs()).toBe(resetAt - clock.time);
    clock.time = resetAt;
    expect(budget.urgentDelayMs()).toBe(0);
  });
});
