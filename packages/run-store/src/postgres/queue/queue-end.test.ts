import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeQueueBed, openWork, type QueueBed } from '../../../test/queue-bed.ts';
import { databasesToTry } from '../../../test/test-databases.ts';
import type { Database } from '../database.ts';

const endless = new AbortController().signal;

/** The same database, which counts those who listen. */
function countListeners(database: Database) {
  const open = new Set<symbol>();
  const counted: Database = {
    ...database,
    listen: async (...given) => {
      const [listener, end] = [Symbol('listener'), await database.listen(...given)];
      open.add(listener);
      return async () => {
        open.delete(listener);
        await end();
      };
    },
  };
  return { counted, count: () => open.size };
}

describe.each(databasesToTry)('the end of a queue, on %s', (_, connect) => {
  let bed: QueueBed;
  beforeAll(() => connect().then(({ close }) => close()));
  beforeEach(async () => {
    bed = await makeQueueBed(await connect());
  });
  afterEach(() => bed.close());

  it('waits for an entry that was just being fetched, and leaves nothing open [NX-143]', async () => {
    const { counted, count } = countListeners(bed.database);
    const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const database: Database = {
      ...counted,
      transaction: async (...given) => {
        const claimed = await counted.transaction(...given);
        asked.resolve();
        await answered.promise;
        return claimed;
      },
    };
    const { workOn, begun, end } = openWork();
    const queue = bed.open({ database });
    await queue.add({ key: 'a#1' });
    const worked = queue.work(workOn, { signal: endless });
    await asked.promise;
    let hasEnded = false;
    const closed = queue.close().then(() => {
      hasEnded = true;
    });
    answered.resolve();
    await expect.poll(() => begun).toEqual(['a#1']);
    await queue.settled();
    expect([hasEnded, count()]).toEqual([false, 1]);
    end('a#1', { againAfterMs: 0 });
    await Promise.all([worked, closed]);
    expect([count(), await bed.states()]).toEqual([0, { 'a#1': 'retry' }]);
  });

  it('begins nothing of what was only found to wait', async () => {
    const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<boolean>()];
    const isPaused = () => {
      asked.resolve();
      return answered.promise;
    };
    const { workOn, begun } = openWork();
    const queue = bed.open({ isPaused });
    await queue.add({ key: 'a#1' });
    const worked = queue.work(workOn, { signal: endless });
    await asked.promise;
    const closed = queue.close();
    answered.resolve(false);
    await Promise.all([worked, closed]);
    expect([begun, await bed.states()]).toEqual([[], { 'a#1': 'created' }]);
  });

  it('waits for no time to pass where it comes while the queue is looked at beside its work', async () => {
    let gate = Promise.resolve();
    const database: Database = {
      ...bed.database,
      query: async (...given) => {
        await gate;
        return bed.database.query(...given);
      },
    };
    const queue = bed.open({ database });
    expect(await queue.waiting()).toEqual([]);
    const worked = queue.work(openWork().workOn, { signal: endless });
    await queue.settled();
    const answered = Promise.withResolvers<void>();
    gate = answered.promise;
    // Time for two looks: one to claim, one for the dead.
    queue.time.pass(6_000);
    await new Promise(setImmediate);
    const closed = queue.close();
    answered.resolve();
    await Promise.all([worked, closed]);
  });

  it.each([
    ['was never asked before', false],
    ['was asked before', true],
  ])('leaves nothing open though it is asked afterwards, where it %s', async (_, wasAsked) => {
    const { counted, count } = countListeners(bed.database);
    const queue = bed.open({ database: counted });
    if (wasAsked) expect(await queue.waiting()).toEqual([]);
    await queue.close();
    expect(await queue.add({ key: 'a#1' })).toBe('added');
    expect([await queue.knows('a#1'), (await queue.waiting()).length]).toEqual([true, 1]);
    expect(count()).toBe(0);
  });

  it('leaves no instance in the registry of pg-boss', async () => {
    const queue = bed.open();
    await queue.add({ key: 'a#1' });
    await queue.close();
    expect(await bed.database.query(`SELECT FROM ${bed.schema}.instance`)).toEqual([]);
  });

  it('leaves nothing open where it comes while the queue is being opened', async () => {
    const { counted, count } = countListeners(bed.database);
    const queue = bed.open({ database: counted });
    const waiting = queue.waiting();
    await queue.close();
    expect([await waiting, count()]).toEqual([[], 0]);
  });

  it('leaves nothing open of an attempt to open it that failed', async () => {
    const { counted, count } = countListeners(bed.database);
    let failures = 0;
    const query: Database['query'] = (text, values) => {
      if (count() === 0 || failures > 0) return counted.query(text, values);
      failures += 1;
      return Promise.reject(new Error('It is refused once.'));
    };
    const queue = bed.open({ database: { ...counted, query } });
    await expect(queue.add({ key: 'a#1' })).rejects.toThrow('It is refused once.');
    expect(count()).toBe(0);
    expect(await queue.add({ key: 'a#1' })).toBe('added');
    await queue.close();
    expect(count()).toBe(0);
  });
});
