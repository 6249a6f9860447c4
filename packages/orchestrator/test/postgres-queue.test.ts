import { randomUUID } from 'node:crypto';
import { connectPostgres, createPostgresQueue, type Database, openPglite } from '@agent/run-store/postgres';
import { findSharedPostgres } from '@agent/simulators/postgres';
import { PGlite } from '@electric-sql/pglite';
import { afterAll } from 'vitest';
import type { QueueEntry } from '../src/index.ts';
import { taskQueueContract } from '../src/testing/index.ts';

let pglite: PGlite | null = null;
afterAll(() => pglite?.close());

const databases: readonly (readonly [name: string, connect: () => Promise<Database>])[] = [
  [
    'PGlite',
    async () => {
      pglite ??= new PGlite();
      return openPglite(pglite);
    },
  ],
  ['a real server', async () => connectPostgres({ url: await findSharedPostgres() })],
];

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
          parseEntry: (json) => json as QueueEntry,
          rules: { toGroup: ({ platform }) => platform, takesUp: ({ kind }) => kind === 'interrupted' },
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
