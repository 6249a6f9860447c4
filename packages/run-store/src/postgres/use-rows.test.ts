import { randomUUID } from 'node:crypto';
import { findSharedPostgres } from '@agent/simulators/postgres';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, describe, expect, it } from 'vitest';
import { connectPostgres } from './connect-postgres.ts';
import { openPglite } from './open-pglite.ts';
import { createPostgresStorage } from './postgres-storage.ts';

const pglite = new PGlite();
afterAll(() => pglite.close());

describe.each([
  ['in PGlite', async () => openPglite(pglite)],
  ['in a real server', async () => connectPostgres({ url: await findSharedPostgres() })],
])('what processes used of a credential, %s', (_, connect) => {
  it('is told to the others with its age, once for each process, and forgotten after an hour [NX-160]', async () => {
    const database = await connect();
    const schema = `use_${randomUUID().replaceAll('-', '')}`;
    const join = () => createPostgresStorage({ database, schema }).sharing?.use.exchange;
    const [one, two, three] = [join(), join(), join()];
    expect(await one?.('token', 'first')).toEqual([]);
    await one?.('token', 'second');
    await three?.('another token', 'nothing of theirs');
    const told = await two?.('token', 'of two');
    expect(told).toEqual([{ ageMs: expect.any(Number), report: 'second' }]);
    expect(told?.[0]?.ageMs).toBeGreaterThanOrEqual(0);
    await database.query(
      `UPDATE ${schema}.use_reports SET reported_at = reported_at - interval '61 minutes'`,
    );
    expect(await one?.('token', 'third')).toEqual([]);
    expect(await three?.('token', 'of three')).toEqual([{ ageMs: expect.any(Number), report: 'third' }]);
    const kept = await database.query<{ report: string }>(
      `SELECT report FROM ${schema}.use_reports ORDER BY report`,
    );
    expect(kept).toEqual([{ report: 'of three' }, { report: 'third' }]);
    await database.query(`DROP SCHEMA ${schema} CASCADE`);
    await database.close();
  });
});
