import { randomUUID } from 'node:crypto';
import { findSharedPostgres } from '@agent/simulators/postgres';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { runStorageContract } from '../testing/contract/run-storage-contract.ts';
import { connectPostgres } from './connect-postgres.ts';
import type { Database } from './database.ts';
import { openPglite } from './open-pglite.ts';
import { createPostgresStorage } from './postgres-storage.ts';

/** A schema of its own in a database, which each process opens for itself. */
function createPlace(database: Database, now: () => number) {
  const schema = `s${randomUUID().replaceAll('-', '')}`;
  return {
    open: async () => createPostgresStorage({ database, schema, now }),
    close: async () => {
      await database.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
    },
  };
}

describe('a storage in PGlite', () => {
  const pglite = new PGlite();
  afterAll(() => pglite.close());
  const create = async ({ now }: { readonly now: () => number }) => createPlace(openPglite(pglite), now);
  for (const { name, run } of runStorageContract({ create })) it(name, run);
});

describe('a storage in a real server', () => {
  let database: Database;
  beforeAll(async () => {
    database = await connectPostgres({ url: await findSharedPostgres() });
  });
  afterAll(() => database.close());
  const create = async ({ now }: { readonly now: () => number }) => createPlace(database, now);
  for (const { name, run } of runStorageContract({ create })) it(name, run);
});
