import { findSharedPostgres } from '@agent/simulators/postgres';
import { PGlite } from '@electric-sql/pglite';
import { connectPostgres } from '../src/postgres/connect-postgres.ts';
import type { Database } from '../src/postgres/database.ts';
import { openPglite } from '../src/postgres/open-pglite.ts';

/** One for the process: to start it takes seconds. */
let pglite: PGlite | null = null;

/** Names of the databases that tests run on, and how each is reached: the server, which is faster, and both in `npm run test:release`. */
export const databasesToTry: readonly (readonly [name: string, connect: () => Promise<Database>])[] = [
  ['a real server', connectTestServer],
  ...(process.env.TEST_RELEASE === '1' ? ([['PGlite', openTestPglite]] as const) : []),
];

/** Opens the PGlite of this process. Each test takes a schema of its own there. */
export async function openTestPglite(): Promise<Database> {
  pglite ??= new PGlite();
  await pglite.waitReady;
  return openPglite(pglite);
}

/** Reaches the server that all tests share. Each takes a schema of its own there. */
export async function connectTestServer(): Promise<Database> {
  return connectPostgres({ url: await findSharedPostgres() });
}
