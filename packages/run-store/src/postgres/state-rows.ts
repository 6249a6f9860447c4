import { createKeyedTurns } from '@agent/text/waiting';
import type { NewFact } from '../journal/journal-writer.ts';
import type { Json } from '../journal-model.ts';
import { requireStateName } from '../lines/state-name.ts';
import type { RunState } from '../ports.ts';
import { requireUuid } from '../storage-names.ts';
import { createState } from '../store/create-state.ts';
import { isMissing } from '../store/run-errors.ts';
import { isNoMember } from './run-rows.ts';
import type { Schema } from './schema.ts';

interface StateWriter {
  /** Appends a fact to the record of the run. */
  readonly append: (fact: NewFact) => Promise<void>;
  /** Number of the process. */
  readonly member: number;
}

/** Values of runs as rows. One that must last is a line of the record besides, which is written in the same statement. */
export function createStateRows(schema: Schema) {
  const { database, at } = schema;
  const turns = createKeyedTurns();

  /** Keeps what may be lost. */
  async function keep(
    uuid: string,
    { name, value, member }: { readonly name: string; readonly value: Json; readonly member: number },
  ): Promise<void> {
    const kept = await database.query(
      `INSERT INTO ${at}.state (uuid, name, value)
       SELECT uuid, $2, $3 FROM ${at}.runs WHERE uuid = $1 AND EXISTS (SELECT FROM ${at}.members WHERE number = $4)
       ON CONFLICT (uuid, name) DO UPDATE SET value = EXCLUDED.value RETURNING name`,
      [uuid, name, JSON.stringify(value), member],
    );
    if (kept.length === 0) throw isNoMember();
  }

  return {
    open: (uuid: string, { append, member }: StateWriter): RunState =>
      createState({
        inTurn: (_, work) => turns(uuid, work),
        read: (name) => readState(schema, { uuid, name }),
        write: ({ name, value, sync, fact }) => (sync ? append(fact) : keep(uuid, { name, value, member })),
      }),
  };
}

/** Reads a value of any run. @throws {ContextStoreError} `invalid` for a run that is not there */
export async function readState(
  { database, at, location }: Schema,
  { uuid, name }: { readonly uuid: string; readonly name: string },
): Promise<unknown> {
  requireUuid(uuid);
  requireStateName(name);
  const [row] = await database.query<{ value: string | null }>(
    `SELECT state.value FROM ${at}.runs LEFT JOIN ${at}.state ON state.uuid = runs.uuid AND state.name = $2
     WHERE runs.uuid = $1`,
    [uuid, name],
  );
  if (row === undefined) throw isMissing(uuid, location);
  return row.value === null ? null : JSON.parse(row.value);
}
