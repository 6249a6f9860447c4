import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RequestRecord } from '../model.ts';
import { createRequestBudget, type RequestBudgetOptions } from './request-budget.ts';
import type { RequestKind, RunHold } from './request-limits.ts';
import { createMemorySharedUse, type SharedUse } from './shared-use.ts';

/** Milliseconds until all limits have room. */
const longest = (holds: readonly RunHold[] = []) => Math.max(0, ...holds.map(({ waitMs }) => waitMs));

const comments = '/repos/{owner}/{repo}/issues/comments';
const poll: RequestRecord = { method: 'GET', route: `GET ${comments}`, status: 200, counted: true };
const records = {
  poll,
  read: { ...poll, route: 'GET /repos/{owner}/{repo}' },
  content: { ...poll, method: 'POST', route: `POST ${comments}` },
} as const satisfies Partial<Record<RequestKind, RequestRecord>>;

/** A clock that only a test moves; who sleeps wakes when it has come so far. */
function createClock() {
  const sleepers: { readonly until: number; readonly wake: () => void }[] = [];
  const clock = { time: 1_000_000 };
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    now: () => clock.time,
    sleep: (ms: number) => new Promise<void>((wake) => void sleepers.push({ until: clock.time + ms, wake })),
    settle,
    pass: async (ms: number) => {
      clock.time += ms;
      for (const sleeper of sleepers.splice(0))
        if (sleeper.until <= clock.time) sleeper.wake();
        else sleepers.push(sleeper);
      await settle();
    },
  };
}

function startProcesses(count: number, options: RequestBudgetOptions = {}) {
  const clock = createClock();
  const { now, sleep } = clock;
  const world = createMemorySharedUse({ now });
  let exchanges = 0;
  const join = (): SharedUse => {
    const { exchange } = world.join();
    return {
      exchange: (key, report) => {
        exchanges += 1;
        return exchange(key, report);
      },
    };
  };
  const start = () => createRequestBudget({ now, sleep, shared: join(), credentialKey: 'one', ...options });
  return { clock, budgets: Array.from({ length: count }, start), exchanges: () => exchanges };
}

describe('a request budget of several processes', () => {
  it('counts what the others used, at most a second later [NX-155]', async () => {
    const { clock, budgets } = startProcesses(2);
    const [one, two] = budgets;
    for (let made = 0; made < 450; made += 1) one?.record(poll);
    await clock.pass(1_000);
    const poller = two?.open();
    await poller?.refresh();
    expect(two?.waitMs('poll')).toBe(59_000);
    expect(poller?.admit({ isNeeded: false })).toBe(false);
    expect(poller?.admit({ isNeeded: true })).toBe(true);
  });

  it('knows what the platform told another process of the hour, and of a refusal [NX-155]', async () => {
    const { clock, budgets } = startProcesses(2);
    const [one, two] = budgets;
    const told = (remaining: number, retryAfterMs: number | null = null) => ({
      primary: { limit: 5_000, remaining, resetAt: clock.now() + 600_000 },
      retryAfterMs,
    });
    two?.record({ ...records.read, limits: told(4_000) });
    one?.record({ ...records.read, limits: told(900) });
    await clock.pass(1_000);
    await two?.open().refresh();
    expect([two?.waitMs('poll'), two?.waitMs('read')]).toEqual([599_000, 0]);
    one?.record({ ...records.read, status: 403, limits: told(900, 90_000) });
    await clock.pass(1_000);
    await two?.open().refresh();
    expect(two?.waitMs('read')).toBe(89_000);
  });

  it('spreads the polls of all processes over the limits, until a process is gone [NX-155]', async () => {
    const { clock, budgets } = startProcesses(3);
    const pollers = budgets.flatMap((budget) => Array.from({ length: 50 }, () => budget.open()));
    for (const budget of budgets) budget.record(poll);
    await clock.pass(1_000);
    await pollers[0]?.refresh();
    expect(pollers[0]?.intervalMs(0)).toBe(20_000);
    await clock.pass(120_000);
    await pollers[0]?.refresh();
    expect(pollers[0]?.intervalMs(0)).toBe(10_000);
  });

  it('leaves room for the runs of the others before a run begins [NX-155]', async () => {
    const { clock, budgets } = startProcesses(2);
    const [one, two] = budgets;
    const limits = {
      primary: { limit: 5_000, remaining: 80, resetAt: clock.now() + 600_000 },
      retryAfterMs: null,
    };
    one?.record({ ...records.read, limits });
    expect(longest(one?.runHolds(2))).toBe(600_000);
    await clock.pass(1_000);
    two?.runHolds(0);
    await clock.settle();
    expect(longest(two?.runHolds(0))).toBe(599_000);
  });

  it('tells the others no more than once a second, and nothing while nothing is asked [NX-155]', async () => {
    const { clock, budgets, exchanges } = startProcesses(1);
    for (let ms = 0; ms < 10_000; ms += 50) {
      budgets[0]?.record(poll);
      await clock.pass(50);
    }
    await clock.pass(1_000);
    expect(exchanges()).toBeLessThanOrEqual(12);
    const before = exchanges();
    await clock.pass(600_000);
    expect(exchanges()).toBe(before);
  });

  it('goes on with what is known where the others cannot be asked for, and says so once [NX-155]', async () => {
    const clock = createClock();
    const warnings: string[] = [];
    const budget = createRequestBudget({
      now: clock.now,
      sleep: clock.sleep,
      shared: { exchange: () => Promise.reject(new Error('the database is away')) },
      logger: { warn: (_, message) => void warnings.push(message) },
    });
    const poller = budget.open();
    for (let second = 0; second < 5; second += 1) {
      budget.record(poll);
      await poller.refresh();
      await clock.pass(1_000);
    }
    expect(poller.admit({ isNeeded: false })).toBe(true);
    expect(warnings).toEqual(['failed to read credential usage of other processes; using last known values']);
  });

  it('never lets several processes exceed the limit of one by more than the others used within two seconds [NX-155]', async () => {
    const kinds = fc.constantFrom('poll' as const, 'read' as const, 'content' as const);
    const asked = fc.tuple(fc.nat(3), kinds, fc.integer({ min: 1, max: 8 }));
    const plans = fc.array(fc.array(asked, { maxLength: 6 }), { minLength: 20, maxLength: 80 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 2, max: 4 }), plans, async (count, plan) => {
        const { clock, budgets } = startProcesses(count, { pointsPerMinute: 60, contentsPerMinute: 10 });
        const pollers = budgets.map((budget) => budget.open());
        const made: Made[] = [];
        for (const second of plan) {
          for (const [number, kind, times] of second) {
            const by = number % count;
            await pollers[by]?.refresh();
            for (let time = 0; time < times && budgets[by]?.waitMs(kind) === 0; time += 1) {
              budgets[by].record(records[kind]);
              made.push({ at: clock.now(), by, points: kind === 'content' ? 5 : 1 });
              const all = sum(made.filter(({ at }) => at > clock.now() - 60_000));
              const unknown = sum(made.filter((one) => one.by !== by && one.at > clock.now() - 2_000));
              expect(all).toBeLessThanOrEqual(60 + unknown);
            }
          }
          await clock.pass(1_000);
        }
      }),
      { numRuns: 60 },
    );
  });
});

interface Made {
  readonly at: number;
  readonly by: number;
  readonly points: number;
}

function sum(made: readonly Made[]): number {
  return made.reduce((total, { points }) => total + points, 0);
}
