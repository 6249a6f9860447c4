import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { databasesToTry } from '../../test/test-databases.ts';
import { createPostgresStorage } from './postgres-storage.ts';

describe.each(databasesToTry)('what processes used of a credential, in %s', (_, connect) => {
  it('is told to the others with its age, once for each process, and forgotten after an hour [NX-155]', async () => {
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
