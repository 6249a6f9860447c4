import { randomUUID } from 'node:crypto';
import { findSharedPostgres, startProxy, type TcpProxy } from '@agent/simulators/postgres';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RunStorage } from '../storage.ts';
import { end, newRun, parseMessage, says, type TestMessage, toArray } from '../testing/store-setup.ts';
import { connectPostgres, type PostgresOptions } from './connect-postgres.ts';
import type { Database } from './database.ts';
import { createPostgresStorage } from './postgres-storage.ts';

const uuid = '0b39c9a4-4f5e-4d2b-8a3f-3f1d9c5b7e21';
const name = `s${randomUUID().replaceAll('-', '')}`;
let url: URL;
let proxy: TcpProxy;
/** A way to the server that is never broken. */
let direct: Database;
let opened: RunStorage[] = [];

beforeAll(async () => {
  url = new URL(await findSharedPostgres());
  direct = await connectPostgres({ url: url.href });
});
afterAll(() => direct.close());
beforeEach(async () => {
  proxy = await startProxy({ port: Number(url.port) });
});
afterEach(async () => {
  proxy.set(null);
  for (const storage of opened) await storage.close();
  opened = [];
  await proxy.close();
  await direct.query(`DROP SCHEMA IF EXISTS ${name} CASCADE`);
});

const throughProxy = () => Object.assign(new URL(url), { port: String(proxy.port) }).href;

async function openStorage(options: Partial<PostgresOptions> = {}): Promise<RunStorage> {
  const database = await connectPostgres({ url: throughProxy(), ...options });
  const storage = createPostgresStorage({ database, schema: name, repeat: () => () => undefined });
  opened.push(storage);
  return storage;
}

/** A run that has begun. `onWait`: called at each pause of a statement that waits for the server. */
async function beginRun(onWait: () => void | Promise<void> = () => undefined) {
  const storage = await openStorage({ sleep: async () => onWait(), answerTimeoutMs: 500 });
  const owner = await storage.members.acquire();
  const store = storage.openStore<TestMessage>({ owner, parseMessage });
  return { storage, owner, store, run: await store.open(newRun(uuid)) };
}

async function readTexts(): Promise<unknown[]> {
  const rows = await direct.query<{ body: string }>(
    `SELECT body FROM ${name}.lines WHERE uuid = $1 AND fact IS NULL ORDER BY line`,
    [uuid],
  );
  return rows.map(({ body }) => (JSON.parse(body) as { content: string }).content);
}

describe('a server that is away', () => {
  it('is waited for: work stands still, and nothing fails [NX-148]', async () => {
    let waits = 0;
    const { run } = await beginRun(() => {
      waits += 1;
      if (waits === 20) proxy.set(null);
    });
    proxy.set('refuses');
    expect(await run.journal.append(says('user', 'one'))).toBe(1);
    expect(waits).toBe(20);
    expect(await readTexts()).toEqual(['one']);
  });

  it('has each line once, though its answers were lost after it had acted [NX-149]', async () => {
    const { run, store } = await beginRun(() => proxy.set(null));
    for (const text of ['one', 'two', 'three']) {
      proxy.set('loses-answers');
      await run.journal.append(says('user', text));
    }
    proxy.set('loses-answers');
    await run.outbox.open({ id: 'final', kind: 'comment', data: null });
    expect(await readTexts()).toEqual(['one', 'two', 'three']);
    proxy.set('loses-answers');
    const again = await store.restore(uuid);
    const messages = (await toArray(again.journal.read())).filter(({ type }) => type === 'message');
    expect(messages).toHaveLength(3);
    expect(await again.outbox.list()).toHaveLength(1);
    expect(await again.journal.append(says('user', 'four'))).toBe(4);
  });

  it('is asked again when it hangs without a word [NX-148]', async () => {
    const { run } = await beginRun(() => proxy.set(null));
    proxy.set('hangs');
    expect(await run.journal.append(says('user', 'one'))).toBe(1);
    expect(await readTexts()).toEqual(['one']);
  });

  it('is waited for though it is gone for hours [NX-148]', async () => {
    let asleepMs = 0;
    const sleep = async (delayMs: number) => {
      asleepMs += delayMs;
      if (asleepMs > 3 * 3_600_000) proxy.set(null);
    };
    const storage = await openStorage({ sleep, clock: () => asleepMs });
    const store = storage.openStore<TestMessage>({ owner: await storage.members.acquire(), parseMessage });
    const { journal } = await store.open(newRun(uuid));
    // Hours of pauses that take no time, and a server that refuses at once.
    proxy.set('refuses');
    expect(await journal.append(says('user', 'one'))).toBe(1);
    expect(await readTexts()).toEqual(['one']);
  });

  it('is given up after the time that was set, with what to do [NX-148]', async () => {
    let time = 0;
    const sleep = async (delayMs: number) => {
      time += delayMs;
    };
    const patience = { sleep, clock: () => time, patienceMs: 60 * 60 * 1_000 };
    const database = await connectPostgres({ url: throughProxy(), ...patience });
    proxy.set('refuses');
    const failed = database.query('SELECT 1', []);
    await expect(failed).rejects.toMatchObject({
      code: 'storage-failed',
      message: expect.stringContaining('127.0.0.1'),
    });
    expect(time).toBeGreaterThanOrEqual(60 * 60 * 1_000);
    await database.close();
  });

  it('that was given up has nothing in the record that nobody acknowledged, once the end is written [NX-149]', async () => {
    const storage = await openStorage({ patienceMs: 0 });
    const store = storage.openStore<TestMessage>({ owner: await storage.members.acquire(), parseMessage });
    const { journal } = await store.open(newRun(uuid));
    await journal.append(says('user', 'one'));
    proxy.set('loses-answers');
    await expect(journal.append(says('user', 'two'))).rejects.toMatchObject({ code: 'storage-failed' });
    expect(await readTexts()).toEqual(['one', 'two']);
    proxy.set(null);
    await journal.finish({ ...end, status: 'failed' });
    expect(await readTexts()).toEqual(['one']);
    const again = await store.restore(uuid);
    expect([again.damage, await again.journal.append(says('user', 'on'))]).toEqual([null, 2]);
  });

  it('is found waiting by whoever asks for its health, with why, and well again afterwards [NX-171]', async () => {
    const mended = Promise.withResolvers<void>();
    const database = await connectPostgres({ url: throughProxy(), sleep: () => mended.promise });
    const storage = createPostgresStorage({
      database,
      schema: name,
      sleep: () => new Promise(() => undefined),
    });
    opened.push(storage);
    expect(await storage.health.check()).toEqual({ part: 'database', state: 'ok', reason: null });
    proxy.set('refuses');
    const waiting = storage.notes.read('one');
    await expect.poll(database.findObstacle).not.toBeNull();
    expect(await storage.health.check()).toMatchObject({
      state: 'waiting',
      reason: expect.stringMatching(/127\.0\.0\.1.*ECONNRESET|ECONNREFUSED|terminated/),
    });
    proxy.set(null);
    mended.resolve();
    await waiting;
    expect(await storage.health.check()).toEqual({ part: 'database', state: 'ok', reason: null });
  });

  it('is found waiting by whoever asks for its health, though it says nothing at all', async () => {
    const database = await connectPostgres({ url: throughProxy() });
    const storage = createPostgresStorage({ database, schema: name, sleep: async () => undefined });
    opened.push(storage);
    proxy.set('hangs');
    expect(await storage.health.check()).toMatchObject({
      ...{ part: 'database', state: 'waiting' },
      reason: expect.stringContaining('has not answered'),
    });
    proxy.set('refuses');
    proxy.set(null);
  });
});

describe('a server that refuses', () => {
  it('is no outage where the password is wrong, and it is said what to do', async () => {
    const wrong = await connectPostgres({ url: throughProxy(), password: () => 'wrong' });
    await expect(wrong.query('SELECT 1', [])).rejects.toMatchObject({
      code: 'storage-failed',
      message: expect.stringContaining('check it, and where it comes from'),
    });
    await expect(wrong.query('SELECT 1', [])).rejects.not.toMatchObject({
      message: expect.stringContaining('wrong'),
    });
    await wrong.close();
  });

  it('is waited for while the password of somebody who was let in is changed [NX-150]', async () => {
    const role = `r${randomUUID().replaceAll('-', '')}`;
    await direct.query(`CREATE ROLE ${role} LOGIN PASSWORD 'first'`);
    let asked = 0;
    const database = await connectPostgres({
      url: Object.assign(new URL(throughProxy()), { username: role }).href,
      password: () => {
        asked += 1;
        return asked < 3 ? 'first' : 'second';
      },
      sleep: async () => undefined,
    });
    await database.query('SELECT 1', []);
    await direct.query(`ALTER ROLE ${role} PASSWORD 'second'`);
    proxy.set('refuses');
    proxy.set(null);
    expect(await database.query('SELECT current_user::text AS name', [])).toEqual([{ name: role }]);
    expect(asked).toBe(3);
    await database.close();
    await direct.query(`DROP ROLE ${role}`);
  });

  it.each(['before a run', 'in the middle of a run'])(
    'is waited for while it can only be read, %s, and says so meanwhile [NX-148, NX-171]',
    async (when) => {
      const role = `r${randomUUID().replaceAll('-', '')}`;
      await direct.query(`CREATE ROLE ${role} LOGIN SUPERUSER PASSWORD 'p'`);
      const makeReadOnly = (is: 'on' | 'off') =>
        direct.query(`ALTER ROLE ${role} SET default_transaction_read_only = ${is}`);
      if (when === 'before a run') await makeReadOnly('on');
      const reasons: (string | null)[] = [];
      const sleep = async () => {
        const { state, reason } = await storage.health.check();
        expect(state).toBe('waiting');
        if (!reason?.includes('The server is read-only')) return;
        reasons.push(reason);
        await makeReadOnly('off');
        proxy.set('refuses');
        proxy.set(null);
      };
      const address = Object.assign(new URL(throughProxy()), { username: role, password: 'p' });
      const storage = await openStorage({ url: address.href, sleep });
      const owner = await storage.members.acquire();
      const store = storage.openStore<TestMessage>({ owner, parseMessage });
      const { journal } = await store.open(newRun(uuid));
      if (when === 'in the middle of a run') {
        await makeReadOnly('on');
        // What is connected has the setting of before.
        proxy.set('refuses');
        proxy.set(null);
      }
      expect(await journal.append(says('user', 'one'))).toBe(1);
      expect(await readTexts()).toEqual(['one']);
      expect(reasons).not.toEqual([]);
      await storage.close();
      opened = [];
      await direct.query(`DROP SCHEMA ${name} CASCADE`);
      await direct.query(`DROP ROLE ${role}`);
    },
  );

  it('is waited for while its disk is full, says what to do meanwhile, and each line is there once [NX-171]', async () => {
    const conditions: unknown[] = [];
    const fill = `CREATE FUNCTION ${name}.fill() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$;
      CREATE TRIGGER fill BEFORE INSERT ON ${name}.lines EXECUTE FUNCTION ${name}.fill()`;
    let storage: RunStorage | null = null;
    const { run, ...begun } = await beginRun(async () => {
      conditions.push(await storage?.health.check());
      if (conditions.length === 3) await direct.query(`DROP FUNCTION ${name}.fill() CASCADE`);
    });
    storage = begun.storage;
    await direct.query(fill);
    expect(await run.journal.append(says('user', 'one'))).toBe(1);
    expect(await run.journal.append(says('user', 'two'))).toBe(2);
    expect(await readTexts()).toEqual(['one', 'two']);
    expect(conditions).toEqual(
      Array.from({ length: 3 }, () => ({
        ...{ part: 'database', state: 'failed' },
        reason: expect.stringContaining('The disk of the server is full: free some space there.'),
      })),
    );
    expect(await storage.health.check()).toMatchObject({ state: 'ok' });
  });

  it.each(['58030', '53000', '53400', 'XX000', '57P04'])(
    'is waited for while it answers %s, and each line is there once',
    async (code) => {
      let waits = 0;
      const { run } = await beginRun(async () => {
        waits += 1;
        if (waits === 3) await direct.query(`DROP FUNCTION ${name}.refuse() CASCADE`);
      });
      await direct.query(`CREATE FUNCTION ${name}.refuse() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '${code}'; END $$;
        CREATE TRIGGER refuse BEFORE INSERT ON ${name}.lines EXECUTE FUNCTION ${name}.refuse()`);
      expect(await run.journal.append(says('user', 'one'))).toBe(1);
      expect(waits).toBe(3);
      expect(await readTexts()).toEqual(['one']);
    },
  );

  it('is waited for while it has too many connections', async () => {
    const role = `r${randomUUID().replaceAll('-', '')}`;
    await direct.query(`CREATE ROLE ${role} LOGIN PASSWORD 'p' CONNECTION LIMIT 1`);
    const address = Object.assign(new URL(throughProxy()), { username: role, password: 'p' });
    const first = await connectPostgres({ url: address.href });
    await first.query('SELECT 1', []);
    const second = await connectPostgres({ url: address.href, sleep: () => first.close() });
    expect(await second.query('SELECT 1 AS one', [])).toEqual([{ one: 1 }]);
    await second.close();
    await direct.query(`DROP ROLE ${role}`);
  });

  it('says which right is missing', async () => {
    const role = `r${randomUUID().replaceAll('-', '')}`;
    await direct.query(`CREATE ROLE ${role} LOGIN PASSWORD 'p'`);
    const address = Object.assign(new URL(throughProxy()), { username: role, password: 'p' });
    const database = await connectPostgres({ url: address.href });
    const storage = createPostgresStorage({ database, schema: name });
    opened.push(storage);
    const right = { message: expect.stringContaining('permission') };
    await expect(storage.notes.read('one')).rejects.toMatchObject({ code: 'storage-failed', ...right });
    await expect(storage.health.probe()).rejects.toMatchObject({
      message: expect.stringContaining('may not create'),
    });
    await storage.close();
    await direct.query(`DROP ROLE ${role}`);
  });

  it('is worked with by somebody who owns the two schemas of a cluster, and may make none', async () => {
    const role = `r${randomUUID().replaceAll('-', '')}`;
    await direct.query(`CREATE ROLE ${role} LOGIN PASSWORD 'p'`);
    const schemas = [name, `${name}_queue`];
    for (const schema of schemas) await direct.query(`CREATE SCHEMA ${schema} AUTHORIZATION ${role}`);
    const address = Object.assign(new URL(throughProxy()), { username: role, password: 'p' });
    const storage = await openStorage({ url: address.href });
    expect(await storage.health.probe()).toMatchObject({ version: expect.any(String) });
    await storage.notes.write('one', 1);
    const queue = storage.sharing?.openQueue<{ readonly key: string }>({
      ...{ concurrency: 1, rules: { toGroup: () => 'one' } },
      parseEntry: (json) => json as { readonly key: string },
    });
    expect(await queue?.add({ key: 'a#1' })).toBe('added');
    await queue?.close();
    await storage.close();
    opened = [];
    for (const schema of schemas) await direct.query(`DROP SCHEMA ${schema} CASCADE`);
    await direct.query(`DROP ROLE ${role}`);
  });
});

describe('a database that was put back from a backup', () => {
  /** Keeps a copy of the tables, and puts it in their place. */
  const copy = `${name}_copy`;
  const tables = ['runs', 'lines', 'members', 'state'];
  const keep = async () => {
    await direct.query(`CREATE SCHEMA ${copy}`);
    for (const table of tables) await direct.query(`CREATE TABLE ${copy}.${table} AS TABLE ${name}.${table}`);
  };
  const putBack = async () => {
    for (const table of tables)
      await direct.query(`DELETE FROM ${name}.${table}; INSERT INTO ${name}.${table} TABLE ${copy}.${table}`);
  };
  afterEach(() => direct.query(`DROP SCHEMA IF EXISTS ${copy} CASCADE`));

  it('is noticed by the chain of a record that went on, which is not written to any more [NX-151]', async () => {
    const { run, store } = await beginRun();
    await run.journal.append(says('user', 'one'));
    await keep();
    await run.journal.append(says('user', 'two'));
    await putBack();
    const late = run.journal.append(says('user', 'three'));
    await expect(late).rejects.toMatchObject({ code: 'damaged', message: expect.stringContaining('backup') });
    await expect(run.journal.finish(end)).rejects.toMatchObject({ code: 'damaged' });
    expect(await readTexts()).toEqual(['one']);
    const again = await store.restore(uuid);
    expect(await again.journal.append(says('user', 'on'))).toBe(2);
  });

  it('is noticed by a process that became a member since, and by its run', async () => {
    const storage = await openStorage();
    await storage.notes.read('none');
    await keep();
    const { run, owner } = await beginRun();
    await putBack();
    await expect(run.journal.append(says('user', 'late'))).rejects.toMatchObject({ code: 'damaged' });
    await expect(owner.guard(async () => 'written')).rejects.toMatchObject({ code: 'owned' });
    expect(owner.lost.aborted).toBe(true);
  });
});
