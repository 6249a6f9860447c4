import { connectPostgres } from '@agent/run-store/postgres';
import { findSharedPostgres, startProxy } from '@agent/simulators/postgres';
import { expect, it } from 'vitest';
import { createStatementReader, type WritingStatement } from './statements.ts';

const uuid = '6f1c7b1e-3f6e-4a57-9a29-0f6a5a1c0001';
const check = 'a'.repeat(32);
const write = `WITH new (uuid, line, fact, body) AS (SELECT $1::uuid, $2::bigint, $3::bigint, $4::text) SELECT line FROM new`;

it('each line that a process writes is seen on its way, also where the text of the statement was sent before [NX-163]', async () => {
  const seen: WritingStatement[] = [];
  const url = new URL(await findSharedPostgres());
  const proxy = await startProxy({
    port: Number(url.port),
    watch: () => {
      const read = createStatementReader();
      return {
        sent: (chunk) => {
          const statement = read(chunk);
          if (statement !== null) seen.push(statement);
          return true;
        },
        answered: () => true,
      };
    },
  });
  url.port = String(proxy.port);
  const database = await connectPostgres({ url: url.href });
  try {
    for (const owner of [4, 5, 6]) {
      const line = `{"fact":"observed","text":"${'x'.repeat(owner * 20_000)}","owner":${owner},"check":"${check}"}`;
      await database.query(write, [uuid, owner, 1, line]);
      await database.query('SELECT $1::text AS other', [uuid]);
    }
    expect(seen).toMatchObject([4, 5, 6].map((owner) => ({ uuid, owner, isLine: true, fact: 'observed' })));
  } finally {
    await database.close();
    await proxy.close();
  }
});
