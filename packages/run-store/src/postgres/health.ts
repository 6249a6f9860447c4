import { setTimeout as wait } from 'node:timers/promises';
import { ContextStoreError, type Sleep } from '../context-store-error.ts';
import type { StorageCondition, StorageHealth } from '../storage.ts';
import type { Schema } from './schema.ts';

/** Milliseconds after which a server that has not answered counts as away. */
const momentMs = 3_000;
const oldestVersion = 14;

interface HealthOptions {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly sleep?: Sleep | undefined;
}

/** Finds out whether a database can keep runs. */
export function createHealth(
  { database, name, queue }: Schema,
  { now, sleep = restUnreferenced }: HealthOptions,
): StorageHealth {
  const part = 'database';
  let asking: Promise<StorageCondition> | null = null;

  /** One question at a time, however long the answer takes. */
  function ask(): Promise<StorageCondition> {
    asking ??= database
      .query('SELECT 1', [])
      .then(
        () => ({ part, state: 'ok', reason: null }) as const,
        (error: unknown) => ({ part, state: 'failed', reason: (error as Error).message }) as const,
      )
      .finally(() => {
        asking = null;
      });
    return asking;
  }

  async function probe() {
    const before = now();
    const [row] = await database.query<{ version: string; time: number; canCreate: boolean }>(
      `SELECT current_setting('server_version') AS version, (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS time,
         (has_database_privilege(current_database(), 'CREATE') OR (
           SELECT count(*) FROM pg_namespace WHERE nspname = ANY ($1) AND has_schema_privilege(oid, 'CREATE')
         ) = 2) AS "canCreate"`,
      [[name, queue]],
    );
    const after = now();
    const { version = '', time = 0, canCreate = false } = row ?? {};
    if (Number.parseInt(version, 10) < oldestVersion) throw isTooOld(version);
    if (!canCreate) throw mayNotCreate([name, queue]);
    await database.query('CREATE TEMPORARY TABLE agent_probe (id int); DROP TABLE agent_probe');
    const clockDifferenceMs = Math.round(time - (before + after) / 2);
    const facts = { version, latency_ms: after - before, clock_difference_ms: clockDifferenceMs };
    return { ...facts, unencrypted: database.isUnencrypted ? 1 : 0 };
  }

  return {
    probe,
    check: async () => {
      // A server that answers may still take nothing: what waits to be written knows.
      const obstacle = database.findObstacle();
      if (obstacle !== null)
        return {
          part,
          state: obstacle.code === 'storage-full' ? 'failed' : 'waiting',
          reason: obstacle.message,
        };
      const reason = `${database.location} has not answered for ${momentMs / 1_000} seconds. Still waiting for it.`;
      const waiting = sleep(momentMs).then(() => ({ part, state: 'waiting', reason }) as const);
      return Promise.race([ask(), waiting]);
    },
  };
}

/** Whoever asks and ends does not wait for the rest of the moment. */
const restUnreferenced: Sleep = (delayMs) => wait(delayMs, undefined, { ref: false });

function isTooOld(version: string): ContextStoreError {
  const message = `The server is PostgreSQL ${version}; ${oldestVersion} or newer is needed. Upgrade it, or use another one.`;
  return new ContextStoreError(message, { code: 'invalid' });
}

function mayNotCreate([name, queue]: readonly [string, string]): ContextStoreError {
  const message = `The user may not create the schemas "${name}" and "${queue}": GRANT CREATE ON DATABASE to it, or create both with it as their owner.`;
  return new ContextStoreError(message, { code: 'invalid' });
}
