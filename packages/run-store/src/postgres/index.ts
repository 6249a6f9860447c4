export { connectPostgres, type PostgresOptions } from './connect-postgres.ts';
export type { Database, Queryable, TransactionOptions } from './database.ts';
export { openPglite } from './open-pglite.ts';
