import type { ThreadReference } from '@agent/platforms';
import { readSeal } from '../lines/record-line.ts';
import { parseMetadata } from '../lines/run-documents.ts';
import { parseFact } from '../record/read-record.ts';
import type { KnownFacts } from '../record/run-facts.ts';
import { createRecordSource, type RecordSource, toRunFacts } from '../record/run-record.ts';
import type { DamagedRun, RunPlace } from '../run-model.ts';
import { hashTaskKey } from '../storage-names.ts';
import type { Queryable } from './database.ts';
import { listedFactNames, type Schema } from './schema.ts';

/** Lines that are read at once. */
const pageLines = 200;

/** Tables that are read, in a transaction or outside of one. */
export interface ReadTables {
  readonly database: Queryable;
  /** As in `Schema`. */
  readonly at: string;
  readonly location: string;
}

/** Reads the record of a run. */
export function openRecordRows({ database, at, location: place }: ReadTables, uuid: string): RecordSource {
  const location = `run ${uuid} in ${place}`;

  async function* readPages(from: number): AsyncGenerator<readonly Buffer[]> {
    const text = `SELECT line, body FROM ${at}.lines WHERE uuid = $1 AND line > $2 ORDER BY line LIMIT ${pageLines}`;
    for (let [after, isMore] = [from, true]; isMore; ) {
      const rows = await database.query<{ line: number; body: string }>(text, [uuid, after]);
      yield rows.map(({ body }) => Buffer.from(body));
      after = rows.at(-1)?.line ?? after;
      isMore = rows.length === pageLines;
    }
  }

  return createRecordSource(location, ({ line }) => readPages(line));
}

/**
 * Requires that the first line of a run does not say another version. A damaged line says nothing of its version.
 * @throws {ContextStoreError} `other-version`
 */
export async function requireRowVersion({ database, at }: ReadTables, uuid: string): Promise<void> {
  const text = `SELECT body FROM ${at}.lines WHERE uuid = $1 AND line = 1 AND fact = 'opened'`;
  const [first] = await database.query<{ body: string }>(text, [uuid]);
  if (first === undefined || !readSeal(Buffer.from(first.body), '').isWhole) return;
  parseMetadata(parseFact(first.body).data, `The record of run ${uuid}`);
}

/** Reads what the facts of a run say. @throws {ContextStoreError} `damaged` if nothing says what the run is */
export async function readRowFacts({ database, at }: ReadTables, uuid: string): Promise<KnownFacts> {
  const text = `SELECT body FROM ${at}.lines WHERE uuid = $1 AND fact IN (${listedFactNames}) ORDER BY line`;
  const rows = await database.query<{ body: string }>(text, [uuid]);
  return toFacts(uuid, rows);
}

/** @throws {ContextStoreError} `damaged` if nothing says what the run is */
export function toFacts(uuid: string, rows: readonly { readonly body: string | null }[]): KnownFacts {
  return toRunFacts(
    uuid,
    rows.flatMap(({ body }) => body ?? []),
  );
}

/** Runs of a place as far as they can be read, in the order asked for. */
export interface ListedRuns {
  readonly found: readonly KnownFacts[];
  readonly damaged: readonly DamagedRun[];
}

interface Wanted {
  readonly place: RunPlace;
  /** Default: all of them, the oldest first. */
  readonly newest?: number;
  /** Those of one thread; instead of the newest. Default: of any. */
  readonly of?: ThreadReference | undefined;
}

/** Lists the runs of a place: one that cannot be read does not hide the others. */
export async function listRowFacts(
  { database, at }: Schema,
  { place, newest, of }: Wanted,
): Promise<ListedRuns> {
  const isWanted = of === undefined ? 'place = $1' : 'place = $1 AND task_key_hash = $2 AND host = $3';
  const chosen =
    newest === undefined
      ? `SELECT uuid, row_number() OVER (ORDER BY created_at, uuid) AS rank FROM ${at}.runs WHERE ${isWanted}`
      : `SELECT uuid, row_number() OVER (ORDER BY ended_at DESC, uuid) AS rank FROM ${at}.runs
         WHERE place = $1 ORDER BY ended_at DESC, uuid LIMIT $2`;
  const thread = of === undefined ? [] : [hashTaskKey(of.taskKeyText), of.host];
  const rows = await database.query<{ uuid: string; body: string | null }>(
    `SELECT chosen.uuid, lines.body FROM (${chosen}) AS chosen
     LEFT JOIN ${at}.lines ON lines.uuid = chosen.uuid AND lines.fact IN (${listedFactNames})
     ORDER BY chosen.rank, lines.line`,
    newest === undefined ? [place, ...thread] : [place, newest],
  );
  const found: KnownFacts[] = [];
  const damaged: DamagedRun[] = [];
  for (const [uuid, ofRun] of Map.groupBy(rows, (row) => row.uuid)) {
    try {
      found.push(toFacts(uuid, ofRun));
    } catch (error) {
      damaged.push({ name: uuid, reason: (error as Error).message });
    }
  }
  return { found, damaged };
}

/** The last lines of a run that hold such facts, the oldest of them first. */
export async function listLastFacts(
  { database, at }: ReadTables,
  {
    uuid,
    facts,
    limit,
  }: { readonly uuid: string; readonly facts: readonly string[]; readonly limit: number },
): Promise<readonly string[]> {
  const text = `SELECT body FROM ${at}.lines WHERE uuid = $1 AND fact = ANY ($2) ORDER BY line DESC LIMIT $3`;
  const rows = await database.query<{ body: string }>(text, [uuid, facts, limit]);
  return rows.map(({ body }) => body).toReversed();
}
