import { parseJson } from '@agent/text/json';
import { ContextStoreError } from '../context-store-error.ts';
import { isControlVerb } from '../controls/run-controls.ts';
import { createRecordReading } from '../journal/record-reading.ts';
import type { MessageLike } from '../journal-model.ts';
import type { RecordLine } from '../record/read-record.ts';
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
}

const restore = 'Restore it from a backup.';

/** Verifies the rows of a run: its record to the line that the run knows as the last, its state, its snapshot and what the index says. */
export async function listRowFaults(schema: Schema, uuid: string): Promise<readonly string[]> {
  const { database, at } = schema;
  const text = `SELECT line, "check", place, host, task_key_hash AS hash, indexed, final_summary AS summary FROM ${at}.runs WHERE uuid = $1`;
  const [row] = await database.query<RunRow>(text, [uuid]);
  if (row === undefined) return [];
  const record = await listRecordFaults(schema, uuid, row);
  return record.length > 0
    ? record
    : [...(await listStateFaults(schema, uuid)), ...(await listIndexFaults(schema, uuid, row))];
}

async function listRecordFaults(schema: Schema, uuid: string, row: RunRow): Promise<readonly string[]> {
  const { location, readChain } = openRecordRows(schema, uuid);
  const reading = createRecordReading({ parseMessage: (json) => json as MessageLike });
  const missing = `Line ${row.line} of "${location}" is missing or is not as it was written. ${restore}`;
  try {
    let last: RecordLine | undefined;
    const record = {
      location,
      readLines: openRecordRows(schema, uuid).readLines,
      readChain: async function* (options: Parameters<typeof readChain>[0]) {
        for await (const lines of readChain(options)) {
          last = lines.find(({ line }) => line === row.line) ?? last;
          yield lines;
        }
      },
    };
    const broken = await reading.readOn(record);
    if (broken !== null) return [`Line ${broken.line} of "${location}" ${broken.fault}. ${restore}`];
    if (last?.check !== row.check) return [missing];
    reading.listEntries();
    const { metadata } = requireFactsOf(uuid, reading.facts);
    const isSame =
      metadata.host === row.host &&
      metadata.taskKeyHash === row.hash &&
      ['running', 'paused', 'completed'].includes(row.place);
    return isSame
      ? []
      : [`The row of run ${uuid} in ${at(schema, 'runs')} does not say what its record says. ${restore}`];
  } catch (error) {
    if (ContextStoreError.isInstance(error) && ['damaged', 'other-version'].includes(error.code))
      return [error.message];
    if (error instanceof Error && /ZodError$|SyntaxError/.test(error.name))
      return [`"${location}" has a line that is not valid. ${restore}`];
    throw error;
  }
}

const at = ({ database, at: schema }: Schema, table: string) =>
  `${database.location}, table ${schema}.${table}`;

async function listStateFaults(schema: Schema, uuid: string): Promise<readonly string[]> {
  const { database } = schema;
  const states = await database.query<{ name: string; value: string }>(
    `SELECT name, value FROM ${schema.at}.state WHERE uuid = $1`,
    [uuid],
  );
  const snapshots = await database.query<{ about: string }>(
    `SELECT about FROM ${schema.at}.snapshots WHERE uuid = $1`,
    [uuid],
  );
  const isJson = (text: string) => parseJson(text) !== undefined;
  return [
    ...states.flatMap(({ name, value }) =>
      isJson(value)
        ? []
        : [`The value "${name}" of run ${uuid} in ${at(schema, 'state')} is not JSON. ${restore}`],
    ),
    ...snapshots.flatMap(({ about }) =>
      isJson(about)
        ? []
        : [`The snapshot of run ${uuid} in ${at(schema, 'snapshots')} is damaged. ${restore}`],
    ),
  ];
}

async function listIndexFaults(schema: Schema, uuid: string, row: RunRow): Promise<readonly string[]> {
  if (row.place !== 'completed' || row.indexed === null) return [];
  const entry = await toIndexEntry(schema, await readRowFacts(schema, uuid));
  const isSame =
    entry.indexed === row.indexed && (row.summary === null || entry.finalSummary === row.summary);
  return isSame
    ? []
    : [`The index row of run ${uuid} in ${at(schema, 'runs')} does not say what its record says. ${restore}`];
}

/** Verifies the rows beside runs: notes, accounts of spending and requests. */
export async function checkRows(schema: Schema): Promise<VerifiedRecords> {
  const { database } = schema;
  const notes = await database.query<{ name: string; value: string }>(
    `SELECT name, value FROM ${schema.at}.notes ORDER BY name`,
    [],
  );
  const accounts = await database.query<{ account: string; isValid: boolean }>(
    `SELECT account, spent >= presumed AND presumed >= 0 AND reserved >= 0 AS "isValid" FROM ${schema.at}.spending ORDER BY account`,
    [],
  );
  const controls = await database.query<{ uuid: string; verb: string }>(
    `SELECT uuid, verb FROM ${schema.at}.controls`,
    [],
  );
  const faults = [
    ...notes.flatMap(({ name, value }) =>
      parseJson(value) === undefined
        ? [`The note "${name}" in ${at(schema, 'notes')} is not JSON. ${restore}`]
        : [],
    ),
    ...accounts.flatMap(({ account, isValid }) =>
      isValid
        ? []
        : [`The account "${account}" in ${at(schema, 'spending')} has amounts that cannot be. ${restore}`],
    ),
    ...controls.flatMap(({ uuid, verb }) =>
      isControlVerb(verb)
        ? []
        : [
            `"${verb}" for run ${uuid} in ${at(schema, 'controls')} is not a request to a run. Delete the row.`,
          ],
    ),
  ];
  return { checked: notes.length + accounts.length + controls.length, faults };
}
