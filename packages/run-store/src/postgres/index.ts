export { connectPostgres, type PostgresOptions } from './connect-postgres.ts';
export type { Database, Queryable, TransactionOptions } from './database.ts';
export { openPglite } from './open-pglite.ts';
export { createPostgresStorage, type PostgresStorageOptions } from './postgres-storage.ts';
export type { QueueLimits } from './queue/job-claims.ts';
export type { WorkOn, WorkResult } from './queue/jobs-at-work.ts';
export {
  type BesideEntry,
  createPostgresQueue,
  type EntryRules,
  type KeyedEntry,
  type PostgresQueue,
  type PostgresQueueOptions,
  type QueueClock,
  type QueueWorkOptions,
} from './queue/postgres-queue.ts';
