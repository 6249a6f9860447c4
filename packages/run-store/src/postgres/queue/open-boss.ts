import { createRequire } from 'node:module';
import type { Logger } from '@agent/text';
import type { Db, PgBoss } from 'pg-boss';
import { ContextStoreError } from '../../context-store-error.ts';
import type { Database, Queryable } from '../database.ts';

/** One queue of pg-boss, opened. */
export interface JobQueue {
  readonly boss: PgBoss;
  readonly database: Database;
  /** Schema of pg-boss's tables. */
  readonly schema: string;
  /** Name of the queue among those of the schema. */
  readonly name: string;
}

export interface OpenJobQueueOptions extends Omit<JobQueue, 'boss'> {
  /** Hears that something may have come into the queue. */
  readonly onArrival: () => void;
  readonly logger?: Logger | null | undefined;
}

/** Seconds that pg-boss leaves a job to one attempt at most; one that takes longer is renewed before. */
export const expirySeconds = 86_400;
const decadeSeconds = 10 * 365 * 86_400;

const policy = {
  // One job for each key, waiting or at work.
  policy: 'exclusive',
  notify: true,
  // Who works judges who is dead: pg-boss by itself would take an outage for the death of all.
  heartbeatSeconds: 86_400,
  expireInSeconds: expirySeconds,
  // No job is given up: what can never be read goes to another queue when it is found.
  retryLimit: 2_147_483_647,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 60,
  retentionSeconds: decadeSeconds,
  deleteAfterSeconds: 3_600,
} as const;

/** Name of the queue for what can never be read. */
export const toDeadLetters = (name: string): string => `${name}_unreadable`;

/**
 * Opens a queue, and makes its schema where there is none; an earlier one is brought up to this release, whose processes go on beside.
 *
 * @throws {ContextStoreError} `invalid` where pg-boss is not installed, or the schema was made by a newer one
 */
export async function openJobQueue(options: OpenJobQueueOptions): Promise<JobQueue> {
  const { database, schema, name, onArrival, logger } = options;
  const { PgBoss: Boss } = await import('pg-boss').catch((cause: unknown) => {
    const message =
      'The package "pg-boss", which is needed for the queue, is missing. Install it: npm install pg-boss';
    throw new ContextStoreError(message, { code: 'invalid', cause });
  });
  await requireKnownSchema(options);
  // To make a schema that is there takes the right to make any.
  const found = await database.query('SELECT FROM pg_namespace WHERE nspname = $1', [schema]);
  const boss = new Boss({
    db: toBossDatabase(database, onArrival),
    schema,
    createSchema: found.length === 0,
    useListenNotify: true,
    // Nothing is done by timers of its own: who works looks after what others left.
    schedule: false,
    supervise: false,
    monitorIntervalSeconds: 1,
    monitorVacuum: false,
    queueCacheIntervalSeconds: 600,
    // The storage knows its members, and a run is one trace: pg-boss adds neither a heartbeat nor spans.
    registerInstance: false,
    openTelemetry: { enabled: false },
  });
  boss.on('error', (err) => logger?.warn({ err, queue: name }, 'received queue error'));
  boss.on('warning', ({ message, data }) =>
    logger?.warn({ data, queue: name, warning: message }, 'received queue warning'),
  );
  const queue: JobQueue = { boss, database, schema, name };
  try {
    await boss.start();
    await prepareQueue(queue);
    return queue;
  } catch (error) {
    await endJobQueue(queue);
    throw error;
  }
}

async function prepareQueue({ boss, name }: JobQueue): Promise<void> {
  const dead = toDeadLetters(name);
  await boss.createQueue(dead, { retentionSeconds: decadeSeconds });
  await boss.createQueue(name, policy);
  const { policy: _, ...current } = policy;
  await boss.updateQueue(name, current);
  // pg-boss asks once what a queue is, and must not within a transaction: there is one connection where PGlite is the server.
  const nobody = '00000000-0000-0000-0000-000000000000';
  for (const queue of [name, dead]) await boss.findJobs(queue, { id: nobody });
}

/** Ends what a queue does by itself: it listens no more. What it is asked is answered as before, as long as the database is open. */
export function endJobQueue({ boss }: JobQueue): Promise<void> {
  return boss.stop({ close: false, graceful: false });
}

/** @throws {ContextStoreError} `invalid` where a newer release made the tables */
async function requireKnownSchema({
  database,
  schema,
}: Pick<OpenJobQueueOptions, 'database' | 'schema'>): Promise<void> {
  const { version, pgboss } = createRequire(import.meta.url)('pg-boss/package.json') as {
    readonly version: string;
    readonly pgboss: { readonly schema: number };
  };
  const [table] = await database.query<{ found: string | null }>('SELECT to_regclass($1) AS found', [
    `${schema}.version`,
  ]);
  if (table?.found == null) return;
  const [row] = await database.query<{ version: number }>(`SELECT version FROM ${schema}.version`, []);
  if (row === undefined || Number(row.version) <= pgboss.schema) return;
  const message = `The queue in schema "${schema}" of ${database.location} has version ${row.version}, and pg-boss ${version} of this process knows ${pgboss.schema} at most: a newer release made it. Update this one.`;
  throw new ContextStoreError(message, { code: 'invalid' });
}

/** The database as pg-boss asks it. Its notifications are heard here, too. */
function toBossDatabase(database: Database, onArrival: () => void): Db {
  const { executeSql } = toExecutor(database);
  return {
    executeSql: async (text, values) => {
      try {
        return await executeSql(text, values);
      } catch (error) {
        // A text of several statements may have begun a transaction, on the one connection that there is.
        if (!values?.length) await database.query('ROLLBACK').catch(() => undefined);
        throw error;
      }
    },
    listen: async (channel, onNotification, onReconnect) => {
      const close = await database.listen(channel, (payload) => {
        if (payload === null) onReconnect();
        else onNotification(payload);
        onArrival();
      });
      return { close };
    },
  };
}

/** Statements of pg-boss within a transaction, for its option `db`. Without values a text may hold several. */
export function toExecutor({ query }: Queryable): Pick<Db, 'executeSql'> {
  return {
    executeSql: async (text, values = []) => ({
      rows: [...(await query(text, values.length > 0 ? values : undefined))],
    }),
  };
}
