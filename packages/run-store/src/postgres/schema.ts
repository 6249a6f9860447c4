import { ContextStoreError } from '../context-store-error.ts';
import { listedFacts } from '../record/run-facts.ts';
import type { Database } from './database.ts';

/** The tables of one cluster. */
export interface Schema {
  readonly database: Database;
  /** The place in words for people: server, database and schema. */
  readonly location: string;
  /** As the catalog has it: `agent`. */
  readonly name: string;
  /** Its name, quoted: `"agent"`. */
  readonly at: string;
  /** Name of the schema of the cluster's queue: `agent_queue`. */
  readonly queue: string;
}

/**
 * Names the schema of a cluster's runs; beside it lies that of its queue, `…_queue`.
 * @throws {ContextStoreError} `invalid` for a name that would have to be written in quotes everywhere, or that is another cluster's queue's
 */
export function toSchema(database: Database, name: string): Schema {
  if (/^[a-z_][a-z0-9_]{0,39}$/.test(name) && !name.endsWith('_queue'))
    return {
      ...{ database, name, at: `"${name}"`, queue: `${name}_queue` },
      location: `${database.location}, schema "${name}"`,
    };
  const message = `${JSON.stringify(name)} is not a name for a schema. Use small letters, digits and "_", at most 40 characters, without "_queue" at the end.`;
  throw new ContextStoreError(message, { code: 'invalid' });
}

/** Names of the facts that lists are made from, as a list of SQL. */
export const listedFactNames = listedFacts.map((name) => `'${name}'`).join(', ');

/** A change of the tables. Each must be safe while programs of the version before still work beside. */
export interface Migration {
  /** Number of the oldest migration whose programs may work on what this one leaves. */
  readonly oldest: number;
  readonly statements: (at: string) => string;
}

/** In their order; never changed once released. The first one makes all tables. */
const ours: readonly Migration[] = [
  {
    oldest: 1,
    statements: (at) => `
      CREATE SEQUENCE ${at}.owners;
      CREATE TABLE ${at}.members (
        number bigint PRIMARY KEY, pid int NOT NULL, host text NOT NULL, alone boolean NOT NULL,
        renewed_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE TABLE ${at}.runs (
        uuid uuid PRIMARY KEY, place text NOT NULL, owner bigint NOT NULL, line int NOT NULL, "check" text NOT NULL,
        task_key_hash text NOT NULL, host text NOT NULL, created_at text NOT NULL,
        ended_at text, indexed text, final_summary text
      ) WITH (fillfactor = 70);
      CREATE INDEX runs_by_place ON ${at}.runs (place, created_at);
      CREATE INDEX runs_by_end ON ${at}.runs (ended_at) WHERE place = 'completed';
      CREATE INDEX runs_by_task ON ${at}.runs (task_key_hash, host) WHERE indexed IS NOT NULL;
      CREATE TABLE ${at}.lines (
        uuid uuid NOT NULL, line int NOT NULL, fact text, body text NOT NULL, PRIMARY KEY (uuid, line)
      );
      CREATE INDEX lines_of_lists ON ${at}.lines (uuid, line) WHERE fact IN (${listedFactNames});
      CREATE TABLE ${at}.cut_lines (
        uuid uuid NOT NULL, cut int NOT NULL, line int NOT NULL, body text NOT NULL, PRIMARY KEY (uuid, cut, line)
      );
      CREATE TABLE ${at}.state (uuid uuid NOT NULL, name text NOT NULL, value text NOT NULL, PRIMARY KEY (uuid, name));
      CREATE TABLE ${at}.notes (name text PRIMARY KEY, value text NOT NULL, version text NOT NULL);
      CREATE TABLE ${at}.controls (
        uuid uuid NOT NULL, verb text NOT NULL, asked_at text NOT NULL, asked_by text, PRIMARY KEY (uuid, verb)
      );
      -- A bundle of git is compressed already.
      CREATE TABLE ${at}.snapshots (
        uuid uuid PRIMARY KEY REFERENCES ${at}.runs ON DELETE CASCADE, about text NOT NULL, bundle bytea
      );
      ALTER TABLE ${at}.snapshots ALTER COLUMN bundle SET STORAGE EXTERNAL;
      CREATE TABLE ${at}.terms (name text PRIMARY KEY, holder uuid NOT NULL, ends_at timestamptz NOT NULL);
      -- Logged: a platform counts what was created in the last hour, and does not report it.
      CREATE TABLE ${at}.use_reports (
        key text NOT NULL, process uuid NOT NULL, report text NOT NULL, reported_at timestamptz NOT NULL,
        PRIMARY KEY (key, process)
      ) WITH (fillfactor = 50);
      -- Compressed and encrypted by the process that stores them; a process without one asks the platform.
      CREATE UNLOGGED TABLE ${at}.answers (
        key text PRIMARY KEY, tag text NOT NULL, content bytea NOT NULL, used_at timestamptz NOT NULL
      );
      ALTER TABLE ${at}.answers ALTER COLUMN content SET STORAGE EXTERNAL;
      -- Amounts in millionths of the currency; a reservation that does not fit leaves what is reserved without a value, which is refused.
      CREATE TABLE ${at}.spending (
        account text PRIMARY KEY, spent bigint NOT NULL, presumed bigint NOT NULL, reserved bigint NOT NULL,
        "limit" bigint, used_at timestamptz NOT NULL
      ) WITH (fillfactor = 70);
      CREATE TABLE ${at}.reservations (
        id uuid PRIMARY KEY, owner bigint NOT NULL, micros bigint NOT NULL, accounts text[] NOT NULL
      )`,
  },
];

/**
 * Makes the tables, or brings them up to date; one process does, and the others wait. Where programs of what was there may not work
 * on what is there now, those that do are members no more: whatever they would write is refused.
 * @param migrations default those of this release
 * @throws {ContextStoreError} `invalid` for tables of a later release that this one must not write
 */
export async function prepareSchema(schema: Schema, migrations = ours): Promise<void> {
  const { database, at } = schema;
  const requireKnown = async (queryable: Pick<Database, 'query'>) => {
    const { number, oldest } = await readVersion(queryable, schema);
    if (oldest > migrations.length) throw isTooNew(at, { number, known: migrations.length });
    return number;
  };
  if ((await requireKnown(database)) >= migrations.length) return;
  await database.transaction(
    async (transaction) => {
      const from = await requireKnown(transaction);
      if (from === 0) await makeSchema(transaction, schema);
      for (const [index, { oldest, statements }] of migrations.entries()) {
        if (index < from) continue;
        await transaction.query(statements(at));
        const values = [index + 1, oldest];
        await transaction.query(`INSERT INTO ${at}.migrations (number, oldest) VALUES ($1, $2)`, values);
      }
      const isBreak = migrations.slice(from).some(({ oldest }) => oldest > from);
      if (from > 0 && isBreak) await transaction.query(`DELETE FROM ${at}.members`, []);
    },
    { alone: `${at} migrations` },
  );
}

type SchemaName = Pick<Schema, 'name' | 'at'>;
type Version = { readonly number: number; readonly oldest: number };

async function readVersion({ query }: Pick<Database, 'query'>, { name, at }: SchemaName): Promise<Version> {
  // Looked for in the catalog itself: what a session remembers of it may be older than the wait for a lock.
  const find = `SELECT FROM pg_tables WHERE schemaname = $1 AND tablename = 'migrations'`;
  if ((await query(find, [name])).length === 0) return { number: 0, oldest: 0 };
  const text = `SELECT coalesce(max(number), 0) AS number, coalesce(max(oldest), 0) AS oldest FROM ${at}.migrations`;
  const [version] = await query<Version>(text, []);
  return version ?? { number: 0, oldest: 0 };
}

async function makeSchema({ query }: Pick<Database, 'query'>, { name, at }: SchemaName): Promise<void> {
  // To make one that is there takes the right to make any.
  const isThere = (await query('SELECT FROM pg_namespace WHERE nspname = $1', [name])).length > 0;
  await query(`${isThere ? '' : `CREATE SCHEMA ${at};`}
    CREATE TABLE ${at}.migrations (
      number int PRIMARY KEY, oldest int NOT NULL, applied_at timestamptz NOT NULL DEFAULT now()
    )`);
}

function isTooNew(at: string, { number, known }: { readonly number: number; readonly known: number }) {
  const message = `The tables of the schema ${at} are those of a later release (${number}; this one knows ${known}). Install that release here.`;
  return new ContextStoreError(message, { code: 'invalid' });
}
