import { randomUUID } from 'node:crypto';
import { findSharedPostgres } from '@agent/simulators/postgres';
import { beforeAll, describe, expect, it } from 'vitest';
import { connectTestServer, openTestPglite } from '../../test/test-databases.ts';
import { connectPostgres } from './connect-postgres.ts';

describe.each([
  ['PGlite', openTestPglite],
  ['a real server', connectTestServer],
])('a database on %s', (_, open) => {
  beforeAll(() => open().then(({ close }) => close()));

  it('answers with rows, of one statement with values or of several without', async () => {
    const database = await open();
    expect(await database.query('SELECT $1::text AS word, $2::int AS count', ['é', 2])).toEqual([
      { word: 'é', count: 2 },
    ]);
    expect(await database.query('SELECT 1 AS a; SELECT 2 AS a')).toEqual([{ a: 1 }, { a: 2 }]);
    await database.close();
  });

  it('carries a transaction out as a whole, or nothing of it', async () => {
    const database = await open();
    const table = `t${randomUUID().replaceAll('-', '')}`;
    await database.query(`CREATE TABLE ${table} (id int)`);
    const failed = database.transaction(async ({ query }) => {
      await query(`INSERT INTO ${table} VALUES (1)`);
      throw new Error('No further.');
    });
    await expect(failed).rejects.toThrow('No further.');
    await database.transaction(({ query }) => query(`INSERT INTO ${table} VALUES (2)`));
    expect(await database.query(`SELECT id FROM ${table}`)).toEqual([{ id: 2 }]);
    await database.query(`DROP TABLE ${table}`);
    await database.close();
  });

  it('lets many share a lock, and one have it alone once they are done', async () => {
    const database = await open();
    const lock = randomUUID();
    const order: string[] = [];
    const done = Promise.withResolvers<void>();
    const sharing = ['one', 'two'].map((name) =>
      database.share(lock, async () => {
        order.push(name);
        if (order.length === 2) done.resolve();
        await done.promise;
        // Statements go on beside it.
        await database.query('SELECT 1', []);
        order.push(`${name} done`);
      }),
    );
    await done.promise;
    const alone = database.transaction(async () => void order.push('alone'), { alone: lock });
    await Promise.all([...sharing, alone]);
    expect(order.slice(0, 2).toSorted()).toEqual(['one', 'two']);
    expect(order.at(-1)).toBe('alone');
    await database.close();
  });

  it('hears what is notified, until it listens no more', async () => {
    const database = await open();
    const channel = `Bell ${randomUUID()}`;
    const heard: (string | null)[] = [];
    const rung = Promise.withResolvers<void>();
    const stop = await database.listen(channel, (payload) => {
      heard.push(payload);
      rung.resolve();
    });
    await database.query('SELECT pg_notify($1, $2)', [channel, 'one']);
    await rung.promise;
    await stop();
    await database.query('SELECT pg_notify($1, $2)', [channel, 'two']);
    expect(heard).toEqual(['one']);
    await database.close();
  });
});

it('a process listens to all its channels by one connection, which is gone once nobody listens [NX-164]', async () => {
  const name = `listening ${randomUUID()}`;
  const database = await connectPostgres({ url: await findSharedPostgres(), applicationName: name });
  const observer = await connectTestServer();
  const countListeners = async () => {
    const text = `SELECT FROM pg_stat_activity WHERE application_name = $1 AND query ~ '^(UN)?LISTEN'`;
    return (await observer.query(text, [name])).length;
  };
  const channels = [`One ${name}`, `Two ${name}`, `One ${name}`];
  const heard: string[] = [];
  const all = Promise.withResolvers<void>();
  const stops = await Promise.all(
    channels.map((channel, index) =>
      database.listen(channel, (payload) => {
        heard.push(`${index} ${payload}`);
        if (payload === 'last') all.resolve();
      }),
    ),
  );
  expect(await countListeners()).toBe(1);
  await stops[2]?.();
  await observer.query('SELECT pg_notify($1, $2)', [channels[0], 'a']);
  await observer.query('SELECT pg_notify($1, $2)', [channels[1], 'last']);
  await all.promise;
  expect(heard).toEqual(['0 a', '1 last']);
  await stops[1]?.();
  expect(await countListeners()).toBe(1);
  await stops[0]?.();
  await expect.poll(countListeners).toBe(0);
  await Promise.all([database.close(), observer.close()]);
});

it('a process that is frozen in the middle of a transaction does not keep others from its locks for long [NX-143]', async () => {
  const database = await connectTestServer();
  const ask = 'SHOW idle_in_transaction_session_timeout';
  expect(await database.transaction(({ query }) => query(ask))).toEqual([
    { idle_in_transaction_session_timeout: '5s' },
  ]);
  await database.close();
});

it('a server that is frozen is left at once, and told so for when it thaws', async () => {
  const name = `leaving ${randomUUID()}`;
  const database = await connectPostgres({ url: await findSharedPostgres(), applicationName: name });
  const observer = await connectTestServer();
  const findBackends = () =>
    observer.query<{ pid: number }>('SELECT pid FROM pg_stat_activity WHERE application_name = $1', [name]);
  const stop = await database.listen(name, () => undefined);
  await database.query('SELECT 1', []);
  const backends = await findBackends();
  expect(backends).toHaveLength(2);
  for (const { pid } of backends) process.kill(pid, 'SIGSTOP');
  try {
    await stop();
    await database.close();
  } finally {
    for (const { pid } of backends) process.kill(pid, 'SIGCONT');
  }
  // The server was told: thawed, it ends what it had for this process.
  await expect.poll(findBackends).toEqual([]);
  await observer.close();
});

describe('connectPostgres', () => {
  it.each([
    ['postgres://agent@db.example/agent', true],
    ['postgres://agent@10.0.0.7/agent?sslmode=disable', true],
    ['postgres://agent@db.example/agent?sslmode=verify-full', false],
    ['postgres://agent@db.example/agent?sslmode=no-verify', false],
    ['postgres://agent@localhost/agent', false],
    ['postgres://agent@127.0.0.1:5433/agent', false],
    ['postgres://agent@[::1]/agent', false],
    ['postgres://agent@localhost/agent?host=/run/postgresql', false],
    ['postgres://agent@localhost/agent?host=db.example', true],
  ])('warns about a remote server without TLS: %s is %s', async (url, expected) => {
    const warnings: object[] = [];
    const silent = () => undefined;
    const warn = (fields: object) => void warnings.push(fields);
    const logger = { debug: silent, info: silent, warn, error: silent };
    const database = await connectPostgres({ url, logger });
    expect(database.isUnencrypted).toBe(expected);
    expect(warnings).toHaveLength(expected ? 1 : 0);
    await database.close();
  });
});
