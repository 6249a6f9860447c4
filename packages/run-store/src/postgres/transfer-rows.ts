import type { Json } from '../journal-model.ts';
import type { RecordLine } from '../record/read-record.ts';
import type { RunPlace } from '../run-model.ts';
import type { StorageTransfer, TransferredRun } from '../storage.ts';
import { isNoteName } from '../storage-names.ts';
import { listRowFaults } from './check-rows.ts';
import { openRecordRows, type ReadTables, readRowFacts } from './record-rows.ts';
import { rewriteRows } from './rewrite-rows.ts';
import type { Schema } from './schema.ts';

/** Copies runs out of rows, and into them. */
export function createTransferRows(schema: Schema): StorageTransfer {
  const { database, at } = schema;
  return {
    listRuns: async () => {
      const text = `SELECT uuid, place FROM ${at}.runs ORDER BY place, ended_at, created_at, uuid`;
      const rows = await database.query<{ uuid: string; place: RunPlace }>(text, []);
      return new Map(rows.map(({ uuid, place }) => [uuid, place]));
    },
    openRun: (uuid, place) => ({
      ...{ uuid, place },
      readChain: () => openRecordRows(schema, uuid).readChain({}),
      listFaults: () => listRowFaults(schema, uuid),
      readStates: async () => {
        const text = `SELECT name, value FROM ${at}.state WHERE uuid = $1 AND value <> 'null'`;
        const rows = await database.query<{ name: string; value: string }>(text, [uuid]);
        return Object.fromEntries(rows.map(({ name, value }) => [name, JSON.parse(value) as Json]));
      },
      rewrite: (change) => rewriteRows(schema, { uuid, change }),
    }),
    writeRun: (run) => database.transaction(({ query }) => writeRun({ ...schema, database: { query } }, run)),
    listNotes: async () => {
      const rows = await database.query<{ name: string }>(`SELECT name FROM ${at}.notes ORDER BY name`, []);
      return rows.map(({ name }) => name).filter(isNoteName);
    },
  };
}

async function writeRun(tables: ReadTables, { uuid, place, ...run }: TransferredRun): Promise<void> {
  const {
    at,
    database: { query },
  } = tables;
  for (const table of ['lines', 'cut_lines', 'state', 'runs'])
    await query(`DELETE FROM ${at}.${table} WHERE uuid = $1`, [uuid]);
  let last: RecordLine | undefined;
  for await (const lines of run.readChain()) {
    last = lines.at(-1) ?? last;
    await insertLines(tables, { uuid, lines });
  }
  await query(
    `INSERT INTO ${at}.state (uuid, name, value) SELECT $1, * FROM unnest($2::text[], $3::text[])`,
    [uuid, ...toColumns(await run.readStates())],
  );
  // What the record says of the run is read of its rows, as they are read ever after.
  const { metadata } = await readRowFacts(tables, uuid);
  await query(
    `INSERT INTO ${at}.runs (uuid, place, owner, line, "check", task_key_hash, host, created_at)
     VALUES ($1, $2, nextval('${at}.owners'), $3, $4, $5, $6, $7)`,
    [uuid, place, last?.line, last?.check, metadata.taskKeyHash, metadata.host, metadata.createdAt],
  );
}

async function insertLines(
  { database: { query }, at }: ReadTables,
  { uuid, lines }: { readonly uuid: string; readonly lines: readonly RecordLine[] },
): Promise<void> {
  await query(
    `INSERT INTO ${at}.lines (uuid, line, fact, body)
     SELECT $1, * FROM unnest($2::int[], $3::text[], $4::text[])`,
    [
      uuid,
      lines.map(({ line }) => line),
      lines.map(({ name }) => name),
      lines.map(({ bytes }) => bytes.toString()),
    ],
  );
}

function toColumns(states: Readonly<Record<string, Json>>): readonly [string[], string[]] {
  return [Object.keys(states), Object.values(states).map((value) => JSON.stringify(value))];
}
