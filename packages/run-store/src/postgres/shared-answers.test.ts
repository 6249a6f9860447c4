import { randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { databasesToTry } from '../../test/test-databases.ts';
import type { Database } from './database.ts';
import { prepareSchema, toSchema } from './schema.ts';
import { createAnswerRows } from './small-rows.ts';

async function openTables(connect: () => Promise<Database>, maxBytes?: number) {
  const database = await connect();
  const name = `answers_${randomUUID().replaceAll('-', '')}`;
  const schema = toSchema(database, name);
  await prepareSchema(schema);
  onTestFinished(async () => {
    await database.query(`DROP SCHEMA ${name} CASCADE`);
    await database.close();
  });
  const age = (key: string, by: string) =>
    database.query(`UPDATE ${name}.answers SET used_at = used_at - $2::interval WHERE key = $1`, [key, by]);
  const keys = async () =>
    (await database.query<{ key: string }>(`SELECT key FROM ${name}.answers ORDER BY key`)).map(
      ({ key }) => key,
    );
  return { rows: createAnswerRows(schema, { maxBytes }), age, keys };
}

const answer = (tag: string, bytes = 3) => ({ tag, content: new Uint8Array(bytes).fill(7) });
const unknown = { knownTag: null };

describe.each(databasesToTry)('answers that processes keep for each other, in %s', (_, connect) => {
  it('are found by key, the one kept last, and without the content that is known already [NX-170]', async () => {
    const { rows } = await openTables(connect);
    expect(await rows.read('thread', unknown)).toBeNull();
    await rows.keep('thread', answer('"one"'));
    await rows.keep('thread', answer('"two"', 300_000));
    const found = await rows.read('thread', { knownTag: '"one"' });
    expect([found?.tag, found?.content?.length]).toEqual(['"two"', 300_000]);
    expect(await rows.read('thread', { knownTag: '"two"' })).toEqual({ tag: '"two"', content: null });
    expect(await rows.read('other', unknown)).toBeNull();
  });

  it('go a day after they were read last [NX-170]', async () => {
    const { rows, age, keys } = await openTables(connect);
    for (const key of ['forgotten', 'read']) await rows.keep(key, answer('"tag"'));
    for (const key of await keys()) await age(key, '23 hours');
    await rows.read('read', unknown);
    for (const key of await keys()) await age(key, '2 hours');
    await rows.keep('new', answer('"tag"'));
    expect(await keys()).toEqual(['new', 'read']);
  });

  it('are no more than there is room for: those read longest ago go, small ones too [NX-170]', async () => {
    const { rows, age, keys } = await openTables(connect, 100_000);
    await rows.keep('large', answer('"tag"', 60_000));
    await rows.keep('later', answer('"tag"', 60_000));
    expect(await keys()).toEqual(['large', 'later']);
    await age('large', '1 minute');
    await rows.keep('last', answer('"tag"'));
    expect(await keys()).toEqual(['last', 'later']);
    for (let number = 10; number < 40; number += 1) await rows.keep(`small ${number}`, answer('"tag"'));
    expect((await keys()).length).toBeLessThanOrEqual(14);
    expect(await keys()).toContain('small 39');
  });

  it('are kept by many at once: each key has one of them, whole [NX-170]', async () => {
    const { rows, keys } = await openTables(connect, 100_000);
    const writers = Array.from({ length: 40 }, (_, number) => {
      const key = `thread ${number % 4}`;
      return rows.keep(key, answer(`"${number}"`, 20_000 + number));
    });
    await Promise.all(writers);
    for (const key of await keys()) {
      const found = await rows.read(key, unknown);
      expect(found?.content?.length).toBe(20_000 + Number(found?.tag.replaceAll('"', '')));
    }
  });
});
