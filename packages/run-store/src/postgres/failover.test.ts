// @module-tag full
import { startPostgres, startProxy } from '@agent/simulators/postgres';
import { afterEach, expect, it } from 'vitest';
import { newRun, parseMessage, says, type TestMessage, toArray } from '../testing/store-setup.ts';
import { connectPostgres } from './connect-postgres.ts';
import type { Database } from './database.ts';
import { createPostgresStorage } from './postgres-storage.ts';

const [followed, lost] = ['1', '2'].map((digit) => `${digit}0000000-0000-4000-8000-000000000001`) as [
  string,
  string,
];
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function connect(url: string, sleep?: () => Promise<void>): Promise<Database> {
  const database = await connectPostgres({ url, sleep });
  ends.push(database.close);
  return database;
}

/** A server, another one that follows it, and a way that leads to the one or the other. */
async function startPair() {
  const primary = await startPostgres();
  ends.push(primary.remove);
  const replica = await primary.startReplica();
  const proxy = await startProxy(primary);
  ends.push(proxy.close);
  const [first, second] = [await connect(primary.url), await connect(replica.url)];
  const ask = async <Value>(database: Database, text: string) =>
    (await database.query<{ value: Value }>(`SELECT (${text}) AS value`))[0]?.value;
  return {
    url: Object.assign(new URL(primary.url), { port: String(proxy.port) }).href,
    /** Resolves once the other one has all that is written so far; from then on it gets nothing more. */
    fallBehind: async () => {
      const position = await ask<string>(first, 'pg_current_wal_flush_lsn()::text');
      const reached = `pg_last_wal_replay_lsn() >= '${position}'::pg_lsn`;
      await expect.poll(() => ask(second, reached)).toBe(true);
      await second.query(`ALTER SYSTEM SET primary_conninfo = ''`);
      await second.query('SELECT pg_reload_conf()');
      const following = 'SELECT count(*)::int FROM pg_stat_wal_receiver';
      await expect.poll(() => ask(second, following)).toBe(0);
    },
    /** The first one dies, and its name is given to the other, which can only be read so far. */
    failOver: async () => {
      await primary.stop('immediate');
      proxy.lead(replica.port);
      proxy.set('refuses');
      proxy.set(null);
    },
    promote: () => second.query('SELECT pg_promote()'),
  };
}

it('a server that fails over to one that lags is waited for until it can be written to; what it has not got is noticed run by run, and by who came since [NX-173]', async () => {
  const pair = await startPair();
  const obstacles: string[] = [];
  let promoted: Promise<unknown> | null = null;
  const waiting = async () => {
    const obstacle = database.findObstacle()?.message ?? '';
    obstacles.push(obstacle);
    if (!obstacle.includes('is read-only')) return;
    promoted ??= pair.promote();
    await promoted;
  };
  const database = await connect(pair.url, waiting);
  const storage = createPostgresStorage({ database, repeat: () => () => undefined });
  const owner = await storage.members.acquire();
  const store = storage.openStore<TestMessage>({ owner, parseMessage });
  const [kept, set] = [await store.open(newRun(followed)), await store.open(newRun(lost))];
  for (const { journal } of [kept, set]) await journal.append(says('user', 'one'));
  await pair.fallBehind();
  await set.journal.append(says('user', 'two'));
  const late = createPostgresStorage({ database, repeat: () => () => undefined });
  const newcomer = await late.members.acquire();

  await pair.failOver();
  expect(await kept.journal.append(says('user', 'two'))).toBe(2);
  expect(obstacles.some((one) => one.includes('Make it a writable primary'))).toBe(true);
  await owner.guard(async () => undefined);
  await expect(set.journal.append(says('user', 'three'))).rejects.toMatchObject({
    code: 'damaged',
    message: expect.stringContaining('restored from a backup'),
  });
  await expect(newcomer.guard(async () => undefined)).rejects.toMatchObject({ code: 'owned' });
  expect(newcomer.lost.aborted).toBe(true);
  const again = await store.restore(lost);
  await again.journal.append(says('user', 'on'));
  const texts = async ({ journal }: typeof again) =>
    (await toArray(journal.read())).map((entry) => entry.type === 'message' && entry.message.content);
  expect([await texts(kept), await texts(again)]).toEqual([
    ['one', 'two'],
    ['one', 'on'],
  ]);
});
