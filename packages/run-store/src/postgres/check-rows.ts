import { isDeepStrictEqual } from 'node:util';
import { parseJson } from '@agent/text/json';
import { isControlVerb } from '../controls/run-controls.ts';
import { verifyRecord } from '../journal/record-reading.ts';
import { requireFactsOf } from '../record/run-record.ts';
import type { VerifiedRecords } from '../storage.ts';
import { toIndexEntry } from './index-rows.ts';
import { openRecordRows, readRowFacts } from './record-rows.ts';
import type { Schema } from './schema.ts';

interface RunRow {
  readonly line: number;
  readonly check: string;
  readonly place: string;
  readonly host: string;
  readonly hash: string;
  readonly indexed: string | null;
  readonly summary: string | null;
  /** Text of the line that the row knows as the last; null if it is missing. */
  readonly last: string | null;
}

const restore = 'Restore it from a backup.';

/** Verifies the rows of a run: its record to the line that the run knows as the last, its state, its snapshot and what the index says. */
export async function listRowFaults(schema: Schema, uuid: string): Promise<readonly string[]> {
  const { database, at } = schema;
  const [row] = await database.query<RunRow>(
    `SELECT line, "check", place, host, task_key_hash AS hash, indexed, final_summary AS summary, (
       SELECT body FROM ${at}.lines WHERE lines.uuid = runs.uuid AND lines.line = runs.line
     ) AS last FROM ${at}.runs WHERE uuid = $1`,
    [uuid],
  );
  if (row === undefined) return [];
  const record = await listRecordFaults(schema, uuid, row);
  if (record.length > 0) return record;
  const ofRun = { where: 'WHERE uuid = $1', values: [uuid] };
  const texts = [
    listTextFaults(schema, {
      ...{ table: 'state', columns: 'name, value AS text', ...ofRun },
      toName: (name) => `value "${name}" of run ${uuid}`,
    }),
    listTextFaults(schema, {
      ...{ table: 'snapshots', columns: 'uuid AS name, about AS text', ...ofRun },
      toName: () => `snapshot of run ${uuid}`,
    }),
  ];
  const verified = await Promise.all(texts);
  return [...verified.flatMap(({ faults }) => faults), ...(await listIndexFaults(schema, uuid, row))];
}

async function listRecordFaults(schema: Schema, uuid: string, row: RunRow): Promise<readonly string[]> {
  const record = openRecordRows(schema, uuid);
  if (row.last?.endsWith(`,"check":"${row.check}"}`) !== true)
    return [`Line ${row.line} of "${record.location}" is missing or is not as it was written. ${restore}`];
  const verified = await verifyRecord(record, { uuid, advice: restore });
  if (typeof verified === 'string') return [verified];
  const { metadata } = requireFactsOf(uuid, verified.facts);
  const isSame =
    metadata.host === row.host &&
    metadata.taskKeyHash === row.hash &&
    ['running', 'paused', 'completed'].includes(row.place);
  return isSame
    ? []
    : [`The row of run ${uuid} in ${at(schema, 'runs')} does not say what its record says. ${restore}`];
}

const at = ({ database, at: schema }: Schema, table: string) =>
  `${database.location}, table ${schema}.${table}`;

interface TextColumn {
  readonly table: string;
  /** Of SQL: a name and the text. */
  readonly columns: string;
  readonly where?: string;
  readonly values?: readonly unknown[];
  readonly toName: (name: string) => string;
}

/** Names the rows whose text is not JSON. */
async function listTextFaults(
  schema: Schema,
  { table, columns, where = '', values = [], toName }: TextColumn,
): Promise<VerifiedRecords> {
  const text = `SELECT ${columns} FROM ${schema.at}.${table} ${where} ORDER BY 1`;
  const rows = await schema.database.query<{ name: string; text: string }>(text, values);
  const damaged = rows.filter((row) => parseJson(row.text) === undefined);
  const faults = damaged.map(
    ({ name }) => `The ${toName(name)} in ${at(schema, table)} is not JSON. ${restore}`,
  );
  return { checked: rows.length, faults };
}

async function listIndexFaults(schema: Schema, uuid: string, row: RunRow): Promise<readonly string[]> {
  if (row.place !== 'completed' || row.indexed === null) return [];
  const entry = await toIndexEntry(schema, await readRowFacts(schema, uuid));
  const isSame = (stored: string, said: string | null) =>
    isDeepStrictEqual(parseJson(stored), parseJson(said ?? 'null'));
  if (isSame(row.indexed, entry.indexed) && (row.summary === null || isSame(row.summary, entry.finalSummary)))
    return [];
  return [
    `The index row of run ${uuid} in ${at(schema, 'runs')} does not say what its record says. ${restore}`,
  ];
}

/** Verifies the rows beside runs: notes, accounts of spending and requests. */
export async function checkRows(schema: Schema): Promise<VerifiedRecords> {
  const { database } = schema;
  const notes = await listTextFaults(schema, {
    ...{ table: 'notes', columns: 'name, value AS text' },
    toName: (name) => `note "${name}"`,
  });
  const accounts = await database.query<{ account: string; isValid: boolean }>(
    `SELECT account, spent >= presumed AND presumed >= 0 AND reserved >= 0 AS "isValid" FROM ${schema.at}.spending ORDER BY account`,
    [],
  );
  const controls = await database.query<{ uuid: string; verb: string }>(
    `SELECT uuid, verb FROM ${schema.at}.controls`,
    [],
  );
  const invalid = accounts.filter(({ isValid }) => !isValid);
  const unknown = controls.filter(({ verb }) => !isControlVerb(verb));
  const faults = [
    ...notes.faults,
    ...invalid.map(
      ({ account }) =>
        `The account "${account}" in ${at(schema, 'spending')} has amounts that cannot be. ${restore}`,
    ),
    ...unknown.map(
      ({ uuid, verb }) =>
        `"${verb}" for run ${uuid} in ${at(schema, 'controls')} is not a request to a run. Delete the row.`,
    ),
  ];
  return { checked: notes.checked + accounts.length + controls.length, faults };
}
