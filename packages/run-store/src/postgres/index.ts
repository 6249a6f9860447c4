export { connectPostgres, type PostgresOptions } from './connect-postgres.ts';
export type { Database, Queryable, TransactionOptions } from './database.ts';
export { openPglite } from './open-pglite.ts';
export { createPostgresStorage, type PostgresStorageOptions } from './postgres-storage.ts';
export { createPostgresQueue, type PostgresQueueOptions } from './queue/postgres-queue.ts';
