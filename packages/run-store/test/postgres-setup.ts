import { randomUUID } from 'node:crypto';
import { ContextStoreError } from '../src/context-store-error.ts';
import type { MessageLike } from '../src/journal-model.ts';
import type { Database } from '../src/postgres/database.ts';
import { createIndexRows } from '../src/postgres/index-rows.ts';
import { acquireMembership } from '../src/postgres/membership.ts';
import { PostgresRunDriver } from '../src/postgres/postgres-run-driver.ts';
import { createPostgresRunLines, createPostgresRunReader } from '../src/postgres/run-lists.ts';
import { prepareSchema, type Schema, toSchema } from '../src/postgres/schema.ts';
import { createRunStore } from '../src/store/create-run-store.ts';
import type { RunStoreTest, StoreProcess } from '../src/testing/contract/contract.ts';
import { recordDamageContract, runStoreContract } from '../src/testing/contract/run-store-contract.ts';
import { parseMessage } from '../src/testing/store-setup.ts';

/** Makes the tests of a store in a database, each in a schema of its own. */
export function toStoreTests(connect: () => Promise<Database>): readonly RunStoreTest[] {
  const create = async (clock: { readonly now: () => number }) => {
    const database = await connect();
    const { close, ...fixture } = await openPostgresFixture(database, clock);
    return { ...fixture, close: () => close().then(database.close) };
  };
  return [...runStoreContract({ create }), ...recordDamageContract({ create })];
}

async function openPostgresFixture(database: Database, { now }: { readonly now: () => number }) {
  const schema = toSchema(database, `s${randomUUID().replaceAll('-', '')}`);
  await prepareSchema(schema);
  return {
    start: () => startProcess(schema, now),
    damage: async (uuid: string, text: string) => {
      await database.query(
        `UPDATE ${schema.at}.lines SET body = replace(body, $2, upper($2)) WHERE uuid = $1`,
        [uuid, text],
      );
    },
    close: async () => {
      await database.query(`DROP SCHEMA ${schema.at} CASCADE`);
    },
  };
}

type When = 'before' | 'after';

/** Statements that fail where they are told to, and of a process that died. */
function withFaults(database: Database) {
  let fault: When | null = null;
  let isDead = false;
  const refused = new ContextStoreError('This write was to fail.', { code: 'storage-failed' });
  const query: Database['query'] = async <Row extends object>(text: string, values?: readonly unknown[]) => {
    if (isDead) throw new ContextStoreError('The process is gone.', { code: 'storage-failed' });
    const failed = text.includes('AS (\n         UPDATE') && fault !== null ? fault : null;
    if (failed !== null) fault = null;
    if (failed === 'before') throw refused;
    const rows = await database.query<Row>(text, values);
    if (failed === 'after') throw refused;
    return rows;
  };
  return {
    database: { ...database, query },
    failNext: (when: When) => {
      fault = when;
    },
    kill: async () => {
      isDead = true;
    },
  };
}

async function startProcess(place: Schema, now: () => number): Promise<StoreProcess> {
  const faulty = withFaults(place.database);
  const schema = { ...place, database: faulty.database };
  const repeat = () => () => undefined;
  const owner = await acquireMembership(schema, { exclusive: true, listOpenings: () => [], repeat });
  return {
    owner,
    store: createRunStore<MessageLike>(new PostgresRunDriver({ schema, owner, now }), { parseMessage, now }),
    reader: createPostgresRunReader<MessageLike>(schema, { parseMessage }),
    index: createIndexRows(schema),
    lines: createPostgresRunLines(schema),
    failNext: faulty.failNext,
    kill: faulty.kill,
  };
}
