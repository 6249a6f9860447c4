import { findSharedPostgres } from '@agent/simulators/postgres';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, describe, it } from 'vitest';
import { runStorageContract } from '../testing/contract/run-storage-contract.ts';
import { connectPostgres } from './connect-postgres.ts';
import type { Database } from './database.ts';
import { openPglite } from './open-pglite.ts';
import { createPostgresStorage } from './postgres-storage.ts';

const pglite = new PGlite();
afterAll(() => pglite.close());

describe.each([
  ['in PGlite', async () => openPglite(pglite)],
  ['in a real server', async () => connectPostgres({ url: await findSharedPostgres() })],
])('snapshots %s', (_, connect) => {
  let count = 0;
  const create = async () => {
    const database: Database = await connect();
    const schema = `snapshots_${process.pid}_${count++}`;
    return {
      open: async () => createPostgresStorage({ database, schema }),
      close: async () => {
        await database.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
        await database.close();
      },
    };
  };
  for (const { name, run } of runStorageContract({ create })) if (name.includes('snapshot')) it(name, run);
});
