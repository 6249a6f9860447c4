import { randomUUID } from 'node:crypto';
import { connectPostgres, createPostgresQueue, type Database, openPglite } from '@agent/run-store/postgres';
import { findSharedPostgres } from '@agent/simulators/postgres';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseQueueEntry, type QueueEntry, sharedQueueRules } from '../src/index.ts';
import { taskQueueContract } from '../src/testing/index.ts';

let pglite: PGlite | null = null;
afterAll(() => pglite?.close());

/** One for all tests: to start it takes seconds. */
async function openSharedPglite(): Promise<Database> {
  pglite ??= new PGlite();
  return openPglite(pglite);
}

/** PGlite besides in `npm run test:full`. */
const databases: readonly (readonly [name: string, connect: () => Promise<Database>])[] = [
  ['a real server', async () => connectPostgres({ url: await findSharedPostgres() })],
  ...(process.env.TEST_FULL === '1' ? ([['PGlite', openSharedPglite]] as const) : []),
];

// To start them takes long where the machine is busy with other tests.
beforeAll(async () => {
  for (const [, connect] of databases) {
    const database = await connect();
    await database.query('SELECT 1');
    await database.close();
  }
}, 120_000);

for (const [name, connect] of databases)
  taskQueueContract({
    name: `the queue in PostgreSQL (${name})`,
    create: async () => {
      const database = await connect();
      const schema = `queue_${randomUUID().replaceAll('-', '')}`;
      const opened: { readonly close: () => Promise<void> }[] = [];
      const open = (concurrency: number) => {
        const queue = createPostgresQueue<QueueEntry>({
          ...{ database, schema, concurrency },
          ...{
            parseEntry: parseQueueEntry,
            rules: { ...sharedQueueRules, takesUp: ({ kind }: QueueEntry) => kind === 'interrupted' },
          },
        });
        opened.push(queue);
        return queue;
      };
      return {
        ...{ open, reopen: open },
        close: async () => {
          for (const { close } of opened) await close();
          await database.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
          await database.close();
        },
      };
    },
  });

const toEntry = (kind: QueueEntry['kind'], issue: string): QueueEntry => ({
  key: `forge.test github_issue:${issue}`,
  ...{ kind, platform: 'forge.test', runId: kind === 'new' ? null : 'r1' },
});

it('what has begun goes before what has not, and the threads of a repository wait for each other [NX-141]', () => {
  const { toGroup, toPriority } = sharedQueueRules;
  const kinds = (['new', 'retry', 'paused', 'interrupted'] as const).map((kind) =>
    toEntry(kind, 'acme:shop:1'),
  );
  expect(kinds.map(toPriority)).toEqual([0, 1, 2, 3]);
  const groups = ['acme:shop:1', 'Acme:Shop:2', 'acme:till:1'].map((issue) => toGroup(toEntry('new', issue)));
  expect(groups).toEqual(['forge.test acme/shop', 'forge.test acme/shop', 'forge.test acme/till']);
});

it('an entry of a queue is read whoever wrote it, and refused where it names no thread', () => {
  const entry = toEntry('interrupted', 'acme:shop:1');
  expect(parseQueueEntry(JSON.parse(JSON.stringify(entry)))).toEqual(entry);
  for (const wrong of [{}, { ...entry, kind: 'other' }, { ...entry, key: 'forge.test nothing' }])
    expect(() => parseQueueEntry(wrong)).toThrow();
});
