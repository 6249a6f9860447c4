import { randomUUID } from 'node:crypto';
import { afterEach, expect, it } from 'vitest';
import { checkRuns } from '../src/migration/index.ts';
import { createPostgresStorage, type Database } from '../src/postgres/index.ts';
import type { RunStorage } from '../src/storage.ts';
import { end, newRun, parseMessage, says, toArray } from '../src/testing/store-setup.ts';
import { connectTestServer } from './test-databases.ts';

const [altered = '', cut = '', whole = ''] = [1, 2, 3].map(
  (digit) => `${digit}0000000-0000-4000-8000-000000000001`,
);
const open: RunStorage[] = [];
afterEach(async () => {
  for (const storage of open.splice(0)) await storage.close();
});

async function openDatabase(): Promise<{ storage: RunStorage; database: Database; schema: string }> {
  const database = await connectTestServer();
  const schema = `s${randomUUID().replaceAll('-', '')}`;
  const storage = createPostgresStorage({ database, schema });
  open.push(storage);
  return { storage, database, schema };
}

it('checkRuns finds altered and missing lines in a database, and changes nothing [NX-422]', async () => {
  const { storage, database, schema } = await openDatabase();
  const owner = await storage.members.acquire();
  const store = storage.openStore({ owner, parseMessage });
  for (const uuid of [altered, cut, whole]) {
    const { journal } = await store.open(newRun(uuid));
    await journal.append(says('user', 'Mend it.'));
    await journal.append(says('assistant', 'Done.'));
    await journal.finish(end);
    await store.finish(uuid);
  }
  await owner.release();
  expect((await toArray(checkRuns(storage))).map(({ fault }) => fault)).toEqual([null, null, null]);
  const lines = `"${schema}".lines`;
  await database.query(`UPDATE ${lines} SET body = replace(body, 'Mend', 'Rend') WHERE uuid = $1`, [altered]);
  await database.query(
    `DELETE FROM ${lines} WHERE uuid = $1 AND line = (SELECT max(line) FROM ${lines} WHERE uuid = $1)`,
    [cut],
  );
  for (let time = 0; time < 2; time += 1) {
    const found = new Map((await toArray(checkRuns(storage))).map((run) => [run.uuid, run]));
    expect(found.get(altered)).toMatchObject({
      place: 'completed',
      fault: expect.stringMatching(/^Line 2 of/),
    });
    expect(found.get(cut)?.fault).toMatch(/^Line \d+ of ".*" is missing or is not as it was written\.$/);
    expect(found.get(whole)?.fault).toBeNull();
  }
});
