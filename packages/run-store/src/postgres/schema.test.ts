import { randomUUID } from 'node:crypto';
import { findSharedPostgres } from '@agent/simulators/postgres';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newRun, parseMessage, says, type TestMessage } from '../testing/store-setup.ts';
import { connectPostgres } from './connect-postgres.ts';
import type { Database } from './database.ts';
import { createPostgresStorage } from './postgres-storage.ts';
import { type Migration, prepareSchema, type Schema, toSchema } from './schema.ts';

let database: Database;
let schema: Schema;
beforeAll(async () => {
  database = await connectPostgres({ url: await findSharedPostgres() });
});
afterAll(() => database.close());
beforeEach(() => {
  schema = toSchema(database, `s${randomUUID().replaceAll('-', '')}`);
});
afterEach(() => database.query(`DROP SCHEMA IF EXISTS ${schema.at} CASCADE`));

const first: Migration = {
  oldest: 1,
  statements: (at) => `CREATE TABLE ${at}.words (word text); CREATE TABLE ${at}.members (number bigint)`,
};
/** Programs of the first may work beside it. */
const second: Migration = {
  oldest: 1,
  statements: (at) =>
    `ALTER TABLE ${at}.words ADD COLUMN language text; INSERT INTO ${at}.words VALUES ('one')`,
};
/** They may not beside this one. */
const third: Migration = { oldest: 3, statements: (at) => `ALTER TABLE ${at}.words DROP COLUMN word` };

const listApplied = () =>
  database.query(`SELECT number, oldest FROM ${schema.at}.migrations ORDER BY number`);

describe('the tables of a cluster', () => {
  it('are made once, by whichever of many processes comes first [NX-154]', async () => {
    await Promise.all(Array.from({ length: 5 }, () => prepareSchema(schema, [first, second])));
    expect(await listApplied()).toEqual([
      { number: 1, oldest: 1 },
      { number: 2, oldest: 1 },
    ]);
    expect(await database.query(`SELECT word FROM ${schema.at}.words`)).toEqual([{ word: 'one' }]);
  });

  it('are changed whole or not at all', async () => {
    await prepareSchema(schema, [first]);
    const broken = { oldest: 1, statements: (at: string) => `${second.statements(at)}; SELECT 1 / 0` };
    await expect(prepareSchema(schema, [first, broken])).rejects.toMatchObject({ code: 'storage-failed' });
    expect(await listApplied()).toHaveLength(1);
    await prepareSchema(schema, [first, second]);
    expect(await listApplied()).toHaveLength(2);
  });

  it('take a program of the release before beside a later one, and refuse one that is too old [NX-154]', async () => {
    await prepareSchema(schema, [first, second]);
    await prepareSchema(schema, [first]);
    await prepareSchema(schema, [first, second, third]);
    await expect(prepareSchema(schema, [first, second])).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('Install that release here'),
    });
  });

  it('may change while statements on them were planned before [NX-154]', async () => {
    await prepareSchema(schema, [first]);
    const read = () => database.query(`SELECT * FROM ${schema.at}.words WHERE word = $1`, ['one']);
    await Promise.all(Array.from({ length: 5 }, read));
    await prepareSchema(schema, [first, second]);
    expect(await Promise.all(Array.from({ length: 5 }, read))).toContainEqual([
      { word: 'one', language: null },
    ]);
  });

  it('are those of one cluster for each schema, whose name is checked', async () => {
    expect(() => toSchema(database, 'Agent"; DROP')).toThrow('is not a name for a schema');
    // The one of the cluster "agent" keeps its queue there.
    expect(() => toSchema(database, 'agent_queue')).toThrow('without "_queue" at the end');
    await prepareSchema(schema);
    const made = await listApplied();
    await prepareSchema(schema);
    expect(await listApplied()).toEqual(made);
    expect(made[0]).toEqual({ number: 1, oldest: 1 });
  });
});

describe('a process of this release at work beside a later one', () => {
  /** Tables of this release, with a change behind them. */
  const migrate = async (oldest: 'this release' | 'the later one') => {
    const { length } = await listApplied();
    const known = Array.from({ length }, () => first);
    const change = { oldest: oldest === 'this release' ? 1 : length + 1, statements: () => 'SELECT 1' };
    await prepareSchema(schema, [...known, change]);
  };
  const open = () => {
    const shared = { ...database, close: async () => undefined };
    return createPostgresStorage({
      database: shared,
      schema: schema.name,
      repeat: () => () => undefined,
    });
  };
  const begin = async () => {
    const owner = await open().members.acquire();
    const store = open().openStore<TestMessage>({ owner, parseMessage });
    return { owner, store, ...(await store.open(newRun('0b39c9a4-4f5e-4d2b-8a3f-3f1d9c5b7e21'))) };
  };

  it('goes on where that takes it, and so does one that starts [NX-154, NX-172]', async () => {
    const { journal } = await begin();
    await migrate('this release');
    expect(await journal.append(says('user', 'one'))).toBe(1);
    expect((await open().members.acquire()).number).toBeGreaterThan(0);
  });

  it('is a member no more where that does not, and writes nothing; one that starts is told what to install [NX-154, NX-172]', async () => {
    const { journal, owner } = await begin();
    await migrate('the later one');
    await expect(journal.append(says('user', 'one'))).rejects.toMatchObject({
      code: 'owned',
      message: expect.stringContaining('a later release changed the tables'),
    });
    await expect(owner.guard(async () => undefined)).rejects.toMatchObject({ code: 'owned' });
    await expect(open().members.acquire()).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('Install that release here'),
    });
  });
});
