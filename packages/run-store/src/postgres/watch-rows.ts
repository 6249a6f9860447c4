import type { IndexedRun } from '../index/indexed-run.ts';
import { type RecentRun, toRecentRun } from '../index/recent-runs.ts';
import { sliceSeal } from '../lines/record-line.ts';
import type { Outcome } from '../outcome.ts';
import type { KnownFacts } from '../record/run-facts.ts';
import { isUuid } from '../storage-names.ts';
import type { RecordMark, RecordPart, RunHead, RunStamp, StorageWatch } from '../storage-watch.ts';
import { toFacts } from './record-rows.ts';
import type { Schema } from './schema.ts';

/** Runs that are read by one statement. */
const batchRuns = 500;

/** Watches runs in a database. What is asked again and again reads the rows of the runs that have not ended, and none of their lines. */
export function createWatchRows(schema: Schema): StorageWatch {
  return {
    listStamps: async () => {
      const [live, ended] = await Promise.all([listLive(schema), stampEnded(schema)]);
      return { live, ended };
    },
    readHeads: async (runs) => {
      const heads: RunHead[] = [];
      for (let at = 0; at < runs.length; at += batchRuns)
        heads.push(...(await readHeads(schema, runs.slice(at, at + batchRuns))));
      return heads;
    },
    listEnded: (after, options) => listEnded(schema, { after, ...options }),
    readRecord: (uuid, options) => (isUuid(uuid) ? readRecord(schema, uuid, options) : Promise.resolve(null)),
  };
}

function listLive({ database, at }: Schema): Promise<readonly RunStamp[]> {
  return database.query<RunStamp>(
    `SELECT uuid, place, line || ' ' || "check" AS stamp FROM ${at}.runs WHERE place IN ('running', 'paused')`,
    [],
  );
}

async function stampEnded({ database, at }: Schema): Promise<string> {
  const [row] = await database.query<{ stamp: string }>(
    `SELECT count(*) || ' ' || coalesce(max(ended_at), '') AS stamp FROM ${at}.runs WHERE place = 'completed'`,
    [],
  );
  return row?.stamp ?? '';
}

async function readHeads(
  { database, at }: Schema,
  runs: readonly Pick<RunStamp, 'uuid' | 'place'>[],
): Promise<readonly RunHead[]> {
  const rows = await database.query<{ uuid: string; body: string }>(
    `SELECT uuid, body FROM ${at}.lines
     WHERE uuid = ANY ($1::uuid[]) AND fact IN ('opened', 'paused', 'resumed') ORDER BY uuid, line`,
    [runs.map(({ uuid }) => uuid)],
  );
  const bodies = Map.groupBy(rows, ({ uuid }) => uuid);
  return runs.flatMap(({ uuid, place }) => toHead({ uuid, place, rows: bodies.get(uuid) ?? [] }) ?? []);
}

/** Null for a run that cannot be read: `status` tells of the damage. */
function toHead({
  rows,
  ...run
}: Pick<RunStamp, 'uuid' | 'place'> & { readonly rows: readonly Line[] }): RunHead | null {
  const facts = findFacts(run.uuid, rows);
  const pause = facts?.pause ?? null;
  return facts && { ...run, metadata: facts.metadata, pause: pause?.status === 'paused' ? pause : null };
}

interface Line {
  readonly body: string | null;
}

/** Null where the lines do not say what the run is. */
function findFacts(uuid: string, lines: readonly Line[]): KnownFacts | null {
  try {
    return toFacts(uuid, lines);
  } catch {
    return null;
  }
}

interface EndedRow {
  readonly uuid: string;
  readonly endedAt: string | null;
  readonly indexed: string | null;
  readonly opened: string | null;
  readonly status: Outcome | null;
}

/** Matches the outcome in the line of an end, and no text in it: there, quotes are escaped. */
const statusPattern = `'"outcome":[{]"status":"([a-z_]+)"'`;

async function listEnded(
  { database, at }: Schema,
  { after, limit }: { readonly after: string | null; readonly limit: number },
) {
  const [endedAt = '', uuid = ''] = after?.split(' ') ?? [];
  const behind = after === null ? '' : "AND (coalesce(ended_at, ''), uuid) < ($2, $3::uuid)";
  const rows = await database.query<EndedRow>(
    `SELECT chosen.uuid, chosen.ended_at AS "endedAt", chosen.indexed, opened.body AS opened, (
       SELECT substring(body from ${statusPattern}) FROM ${at}.lines
       WHERE lines.uuid = chosen.uuid AND fact = 'ended' ORDER BY line DESC LIMIT 1
     ) AS status
     FROM (
       SELECT uuid, ended_at, indexed FROM ${at}.runs WHERE place = 'completed' ${behind}
       ORDER BY coalesce(ended_at, '') DESC, uuid DESC LIMIT $1
     ) AS chosen
     LEFT JOIN ${at}.lines AS opened ON opened.uuid = chosen.uuid AND opened.line = 1
     ORDER BY coalesce(chosen.ended_at, '') DESC, chosen.uuid DESC`,
    after === null ? [limit] : [limit, endedAt, uuid],
  );
  const last = rows.length < limit ? undefined : rows.at(-1);
  return {
    runs: rows.flatMap((row) => toEnded(row) ?? []),
    next: last === undefined ? null : `${last.endedAt ?? ''} ${last.uuid}`,
  };
}

/** Null for a run whose record has lost its beginning. */
function toEnded({ uuid, indexed, opened, endedAt, status }: EndedRow): RecentRun | null {
  const { metadata } = findFacts(uuid, [{ body: opened }]) ?? {};
  if (metadata === undefined) return null;
  const run = indexed === null ? null : (JSON.parse(indexed) as IndexedRun);
  const finishedAt = endedAt ?? metadata.createdAt;
  const outcome = run && { status: status ?? run.status, reason: run.errorMessage, finishedAt };
  return toRecentRun(metadata, outcome);
}

async function readRecord(
  { database, at }: Schema,
  uuid: string,
  { from, limit }: { readonly from: RecordMark | null; readonly limit: number },
): Promise<RecordPart | null> {
  const read = (line: number) =>
    database.query<{ line: number; body: string }>(
      `SELECT line, body FROM ${at}.lines WHERE uuid = $1 AND line >= $2 ORDER BY line LIMIT $3`,
      [uuid, line, limit + 1],
    );
  const sealOf = (body: string) => sliceSeal(Buffer.from(body));
  const found = await read(from?.line ?? 1);
  const isAnew = from !== null && (found[0]?.line !== from.line || sealOf(found[0].body) !== from.seal);
  const rows = (isAnew ? await read(1) : found.slice(from === null ? 0 : 1)).slice(0, limit);
  const isThere = found.length > 0 || rows.length > 0;
  if (!isThere) return null;
  const last = rows.at(-1);
  const lines = rows.map(({ line, body: text }) => ({ line, text }));
  const end = last && { line: last.line, offset: 0, seal: sealOf(last.body) };
  return { lines, isAnew, next: end ?? (isAnew ? null : from) };
}
