import { findSharedPostgres } from '@agent/simulators/postgres';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { recordDamageContract, runStoreContract } from '../testing/contract/run-store-contract.ts';
import { openPostgresFixture } from '../testing/postgres-setup.ts';
import { connectPostgres } from './connect-postgres.ts';
import type { Database } from './database.ts';
import { openPglite } from './open-pglite.ts';

describe('a store in PGlite', () => {
  const pglite = new PGlite();
  afterAll(() => pglite.close());
  const create = ({ now }: { now: () => number }) => openPostgresFixture(openPglite(pglite), { now });
  for (const { name, run } of [...runStoreContract({ create }), ...recordDamageContract({ create })])
    it(name, run);
});

describe('a store in a real server', () => {
  let database: Database;
  beforeAll(async () => {
    database = await connectPostgres({ url: await findSharedPostgres() });
  });
  afterAll(() => database.close());
  const create = ({ now }: { now: () => number }) => openPostgresFixture(database, { now });
  for (const { name, run } of [...runStoreContract({ create }), ...recordDamageContract({ create })])
    it(name, run);
});
