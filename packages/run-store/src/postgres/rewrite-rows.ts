import { requireReadable } from '../journal/record-reading.ts';
import {
  type ChangeValue,
  type RewrittenLine,
  rewriteChain,
  rewriteText,
} from '../journal/rewrite-record.ts';
import type { RunPlace } from '../run-model.ts';
import { toIndexEntry } from './index-rows.ts';
import { openRecordRows, type ReadTables, readRowFacts } from './record-rows.ts';
import type { Schema } from './schema.ts';

interface Rewriting {
  readonly uuid: string;
  readonly change: ChangeValue;
}

/** Changes all rows of a run that has ended, in one transaction: an earlier owner cannot write to it any more. */
export async function rewriteRows(schema: Schema, { uuid, change }: Rewriting): Promise<boolean> {
  return schema.database.transaction(async ({ query }) => {
    const tables = { ...schema, database: { query } };
    const find = `SELECT place FROM ${schema.at}.runs WHERE uuid = $1 FOR UPDATE`;
    const [run] = await query<{ place: RunPlace }>(find, [uuid]);
    if (run?.place !== 'completed') return false;
    const last = await rewriteLines(tables, { uuid, change });
    const beside = [
      await rewriteTexts(tables, { uuid, change, table: 'state' }),
      await rewriteTexts(tables, { uuid, change, table: 'cut_lines' }),
    ];
    if (last === null && !beside.includes(true)) return false;
    await requireReadable(openRecordRows(tables, uuid), uuid);
    const entry = await toIndexEntry(tables, await readRowFacts(tables, uuid));
    await query(
      `UPDATE ${schema.at}.runs SET owner = nextval('${schema.at}.owners'), "check" = coalesce($2, "check"), ended_at = $3,
         indexed = CASE WHEN indexed IS NULL THEN NULL ELSE $4 END,
         final_summary = CASE WHEN indexed IS NULL THEN NULL ELSE $5 END WHERE uuid = $1`,
      [uuid, last?.check ?? null, entry.endedAt, entry.indexed, entry.finalSummary],
    );
    return true;
  });
}

/** Null if no line changes. */
async function rewriteLines(tables: ReadTables, { uuid, change }: Rewriting): Promise<RewrittenLine | null> {
  const { database, at } = tables;
  let last: RewrittenLine | null = null;
  for await (const lines of rewriteChain(openRecordRows(tables, uuid).readChain({}), change)) {
    const others = lines.filter(({ isOther }) => isOther);
    last = others.at(-1) ?? last;
    if (others.length === 0) continue;
    await database.query(
      `UPDATE ${at}.lines SET body = given.body FROM unnest($2::int[], $3::text[]) AS given (line, body)
       WHERE lines.uuid = $1 AND lines.line = given.line`,
      [uuid, others.map(({ line }) => line), others.map(({ bytes }) => bytes.toString())],
    );
  }
  return last;
}

interface RewrittenColumn extends Rewriting {
  readonly table: 'state' | 'cut_lines';
}

/** Changes texts of JSON, or what is left of it; false if none changes. */
async function rewriteTexts(
  { database, at }: ReadTables,
  { uuid, change, table }: RewrittenColumn,
): Promise<boolean> {
  const [name, text] = table === 'state' ? ['name', 'value'] : ["cut || '.' || line", 'body'];
  const rows = await database.query<{ name: string; text: string }>(
    `SELECT ${name} AS name, ${text} AS text FROM ${at}.${table} WHERE uuid = $1`,
    [uuid],
  );
  const others = rows.flatMap((row) => {
    const state = table === 'state' ? row.name : null;
    const changed = rewriteText(row.text, { change, state });
    return changed === row.text ? [] : [{ name: row.name, changed }];
  });
  if (others.length === 0) return false;
  await database.query(
    `UPDATE ${at}.${table} SET ${text} = given.changed FROM unnest($2::text[], $3::text[]) AS given (row, changed)
     WHERE uuid = $1 AND ${name} = given.row`,
    [uuid, others.map((one) => one.name), others.map(({ changed }) => changed)],
  );
  return true;
}
