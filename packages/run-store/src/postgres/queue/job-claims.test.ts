import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeQueueBed, openWork, type QueueBed, type Task } from '../../../test/queue-bed.ts';
import { databasesToTry } from '../../../test/test-databases.ts';
import type { EntryRules } from '../../task-queue.ts';
import type { Database, Queryable } from '../database.ts';

describe.each(databasesToTry)('claims out of a queue, on %s', (_, connect) => {
  let bed: QueueBed;
  let ending: AbortController;
  beforeAll(() => connect().then(({ close }) => close()));
  beforeEach(async () => {
    bed = await makeQueueBed(await connect());
    ending = new AbortController();
  });
  afterEach(async () => {
    ending.abort();
    await bed.close();
  });

  async function add(keys: readonly string[]): Promise<void> {
    const queue = bed.open();
    for (const key of keys) await queue.add({ key });
  }

  it('is asked by the others when the one that was first to be told has begun what came: they look, and claim nothing [NX-164]', async () => {
    let [claims, looks] = [0, 0];
    const database: Database = {
      ...bed.database,
      transaction: (use, options) => {
        claims += options?.alone === undefined ? 0 : 1;
        const count = ({ query }: Queryable): Queryable => ({
          query: (...given) => {
            looks += 1;
            return query(...given);
          },
        });
        return bed.database.transaction((within) => use(count(within)), options);
      },
    };
    const [first, other] = [openWork(), openWork()];
    const [one, two] = [bed.open({ database }), bed.open({ database, random: () => 0.5 })];
    const { signal } = ending;
    // Opened before what comes: one that opens later looks first, and takes it.
    for (const queue of [one, two]) await queue.waiting();
    for (const [queue, work] of [
      [one, first],
      [two, other],
    ] as const)
      void queue.work(work.workOn, { signal });
    for (const queue of [one, two]) await queue.settled();
    await bed.open().add({ key: 'a#1' });
    await expect.poll(() => first.begun).toEqual(['a#1']);
    two.time.pass(12);
    await two.settled();
    // What is at work where, and the job itself.
    expect([claims, looks, other.begun]).toEqual([1, 2, []]);
    first.end('a#1');
  });

  it('puts back what a process holds back, and lets another process have it [NX-49]', async () => {
    await add(['a#1', 'b#1']);
    const holdMs = ({ key }: Task) => (key.startsWith('a') ? 60_000 : 0);
    const [held, free] = [openWork(), openWork()];
    const queue = bed.open({ rules: { holdMs } });
    void queue.work(held.workOn, { signal: ending.signal });
    await expect.poll(() => held.begun).toEqual(['b#1']);
    void bed.open().work(free.workOn, { signal: ending.signal });
    await expect.poll(() => free.begun).toEqual(['a#1']);
    free.end('a#1');
    held.end('b#1');
  });

  it('tells whether a process has had an entry before: that one begins though the rest of its repository is held back [NX-177]', async () => {
    await add(['a#1']);
    const first = openWork();
    const giving = bed.open();
    void giving.work(
      async (task) => {
        await first.workOn(task);
        return { againAfterMs: 0 };
      },
      { signal: ending.signal },
    );
    await expect.poll(() => first.begun).toEqual(['a#1']);
    await add(['a#2']);
    const held: string[] = [];
    const holdMs: EntryRules<Task>['holdMs'] = ({ key }, { hasBegun }) => {
      if (!hasBegun) held.push(key);
      return hasBegun ? 0 : 60_000;
    };
    const taking = openWork();
    const queue = bed.open({ rules: { holdMs } });
    void queue.work(taking.workOn, { signal: ending.signal });
    await expect.poll(() => held).toContain('a#2');
    const closed = giving.close();
    first.end('a#1');
    await closed;
    await expect.poll(() => taking.begun).toEqual(['a#1']);
    taking.end('a#1');
    await expect.poll(() => bed.states()).toEqual({ 'a#2': 'created' });
  });

  it('asks again when the wait of what is held back is over, or its reason has gone [NX-49]', async () => {
    await add(['a#1', 'a#2']);
    let waitMs = 60_000;
    let held = 0;
    const holdMs = () => {
      if (waitMs > 0) held += 1;
      return waitMs;
    };
    const { workOn, begun, end } = openWork();
    const queue = bed.open({ rules: { holdMs } });
    void queue.work(workOn, { signal: ending.signal });
    await expect.poll(() => held).toBeGreaterThan(0);
    waitMs = 0;
    queue.time.pass(59_999);
    await queue.settled();
    expect(begun).toEqual([]);
    await expect
      .poll(() => {
        queue.time.pass(1_000);
        return begun;
      })
      .toEqual(['a#1']);
    waitMs = 60_000;
    const before = held;
    end('a#1');
    await expect.poll(() => held).toBeGreaterThan(before);
    waitMs = 0;
    queue.beginWaiting();
    await expect.poll(() => begun).toEqual(['a#1', 'a#2']);
    end('a#2');
  });
});
