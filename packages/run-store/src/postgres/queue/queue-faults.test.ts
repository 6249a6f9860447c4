import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { findSharedPostgres, type PostgresServer, startPostgres } from '@agent/simulators/postgres';
import { PgBoss as OlderBoss } from 'pg-boss-older';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeQueueBed, openWork, type QueueBed, startWorker } from '../../../test/queue-bed.ts';
import { connectPostgres } from '../connect-postgres.ts';

const ending = new AbortController();
const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function openBed(url: string): Promise<QueueBed> {
  const bed = await makeQueueBed(await connectPostgres({ url, sleep: () => wait(20) }));
  cleanUps.push(bed.close);
  return bed;
}

describe('a process that is killed with an entry', () => {
  it('loses it to another one within three looks at its silence, and nothing else has to pass [NX-143]', async () => {
    const url = await findSharedPostgres();
    const bed = await openBed(url);
    await bed.open().add({ key: 'a#1' });
    const { child, begun, remove } = await startWorker(url, bed);
    cleanUps.push(remove);
    expect(begun).toBe('a#1');
    const { workOn, begun: taken, end } = openWork();
    const queue = bed.open();
    const worked = queue.work(workOn, { signal: ending.signal });
    child.kill('SIGKILL');
    await once(child, 'exit');
    await bed.age(5);
    await expect
      .poll(
        () => {
          queue.time.pass(3_000);
          return taken;
        },
        { interval: 100 },
      )
      .toEqual(['a#1']);
    end('a#1');
    await queue.close();
    await worked;
    expect(await bed.states()).toEqual({});
  });
});

it('a process that is silent is noticed while claims wait for one that is frozen in the midst of its own [NX-157]', async () => {
  const bed = await openBed(await findSharedPostgres());
  const [silent, other] = [openWork(), openWork()];
  const ours = new AbortController();
  const { signal } = ours;
  const queue = bed.open();
  for (const key of ['a#1', 'b#1']) await queue.add({ key });
  const worked = [bed.open().work(silent.workOn, { signal })];
  await expect.poll(() => silent.begun).toEqual(['a#1']);
  const thawed = Promise.withResolvers<void>();
  const [held, frozen] = [Promise.withResolvers<void>(), `${bed.schema}.tasks`];
  const claim = async (): Promise<void> => {
    held.resolve();
    await thawed.promise;
  };
  cleanUps.push(async () => thawed.resolve());
  // Frozen for as long as the test takes: on a busy machine the server would end it by itself.
  const settings = { idle_in_transaction_session_timeout: '0' };
  const freezing = bed.database.transaction(claim, { alone: frozen, settings });
  await held.promise;
  worked.push(queue.work(other.workOn, { signal }));
  await bed.age(5);
  const isGivenBack = async (): Promise<unknown> => {
    queue.time.pass(3_000);
    await bed.age(3);
    return (await bed.states())['a#1'];
  };
  await expect.poll(isGivenBack, { interval: 50 }).toBe('retry');
  expect(other.begun).toEqual([]);
  thawed.resolve();
  await freezing;
  const takesNext = (): readonly string[] => {
    other.end('b#1');
    return other.begun;
  };
  await expect.poll(takesNext).toContain('a#1');
  ours.abort();
  for (const { end } of [silent, other]) for (const key of ['a#1', 'b#1']) end(key);
  await Promise.all(worked);
});

describe('a server that is away for a while', () => {
  let server: PostgresServer;
  beforeEach(async () => {
    server = await startPostgres();
    cleanUps.push(server.remove);
  });

  it('is waited for: what is under way ends, what comes is added, and nothing is carried out twice', {
    tags: ['full'],
  }, async () => {
    const bed = await openBed(server.url);
    const queue = bed.open();
    const { workOn, begun, end } = openWork();
    await queue.add({ key: 'a#1' });
    const worked = queue.work(workOn, { signal: ending.signal });
    await expect.poll(() => begun).toEqual(['a#1']);
    await server.stop('immediate');
    const added = bed.open().add({ key: 'b#1' });
    queue.time.pass(3_000);
    end('a#1');
    queue.time.pass(60_000);
    await server.start();
    expect(await added).toBe('added');
    await expect
      .poll(
        () => {
          queue.time.pass(3_000);
          return begun;
        },
        { interval: 100 },
      )
      .toEqual(['a#1', 'b#1']);
    end('b#1');
    await queue.close();
    await worked;
    expect(await bed.states()).toEqual({});
  });

  it('takes nobody for dead who could not show that it lives meanwhile', { tags: ['full'] }, async () => {
    const bed = await openBed(server.url);
    const [first, second] = [bed.open(), bed.open()];
    const works = [openWork(), openWork()] as const;
    await first.add({ key: 'a#1' });
    const { signal } = ending;
    const worked = [first.work(works[0].workOn, { signal })];
    const begun = () => works.flatMap((work) => work.begun);
    const isShown = async () => {
      const young = `SELECT FROM ${bed.schema}.job WHERE heartbeat_on > ${bed.schema}.job_now() - interval '9 seconds'`;
      return (await bed.database.query(young)).length > 0;
    };
    await expect.poll(begun).toEqual(['a#1']);
    worked.push(second.work(works[1].workOn, { signal }));
    await second.settled();
    await bed.age(60);
    await server.stop('immediate');
    // The second one asks when it comes back, a minute later, before the first could show that it lives.
    second.time.pass(6_000);
    await new Promise(setImmediate);
    second.time.pass(60_000);
    await server.start();
    await second.settled();
    for (let look = 0; look < 4; look += 1) {
      second.time.pass(3_000);
      await second.settled();
    }
    expect(await bed.states()).toEqual({ 'a#1': 'active' });
    first.time.pass(3_000);
    await expect.poll(isShown).toBe(true);
    second.time.pass(30_000);
    await second.settled();
    expect([begun(), await bed.states()]).toEqual([['a#1'], { 'a#1': 'active' }]);
    for (const { end } of works) end('a#1');
    for (const { close } of [first, second]) await close();
    await Promise.all(worked);
  });
});

describe('a worker of an older release of pg-boss', () => {
  it('goes on beside a newer one that brought the tables up to its own, and gets and ends its share', async () => {
    const url = await findSharedPostgres();
    const bed = await openBed(url);
    const { schema } = bed;
    const older = new OlderBoss({ connectionString: url, schema, supervise: false, schedule: false, max: 2 });
    older.on('error', (error) => expect.fail(error.message));
    await older.start();
    cleanUps.push(() => older.stop({ graceful: false }));
    await older.createQueue('tasks', { policy: 'exclusive', heartbeatSeconds: 10, retryLimit: 1_000 });
    const send = (key: string) => older.send('tasks', { key }, { singletonKey: key, group: { id: key } });
    await send('a#1');
    const [held] = await older.fetch('tasks');
    const versionBefore = await older.schemaVersion();

    const queue = bed.open();
    expect([await queue.add({ key: 'a#1' }), await queue.add({ key: 'b#1' })]).toEqual(['known', 'added']);
    expect(await older.schemaVersion()).toBeGreaterThan(versionBefore ?? Number.NaN);
    const { workOn, begun, end } = openWork();
    const worked = queue.work(workOn, { signal: ending.signal });
    await expect.poll(() => begun).toEqual(['b#1']);
    await send('c#1');
    expect(await send('b#1')).toBeNull();
    const [next] = await older.fetch('tasks');
    expect(next?.data).toEqual({ key: 'c#1' });
    if (held === undefined || next === undefined) throw new Error('Nothing was fetched.');
    await older.touch('tasks', [held.id]);
    await older.complete('tasks', held.id);
    await older.fail('tasks', next.id, {});
    end('b#1');
    await expect.poll(() => bed.states()).toEqual({ 'c#1': 'retry' });
    await bed.age(60);
    await older.supervise('tasks');
    queue.beginWaiting();
    await expect.poll(() => begun).toEqual(['b#1', 'c#1']);
    end('c#1');
    await queue.close();
    await worked;
  });
});
