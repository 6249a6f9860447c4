import { type LineBounds, takeLast } from '../disk/lines.ts';
import { toRecentRun } from '../index/recent-runs.ts';
import { kindOf, type LineKind, type RunLines, type RunReader, toRunLine } from '../run-reader.ts';
import { createRunReader, type FoundRun } from '../store/create-run-reader.ts';
import { toListedRun } from '../store/list-runs.ts';
import { listLastFacts, listRowFacts, openRecordRows, readRowFacts } from './record-rows.ts';
import type { Schema } from './schema.ts';
import { readState } from './state-rows.ts';

/** Reads the runs of a database as any process can. */
export function createPostgresRunReader<Message>(
  schema: Schema,
  options: { readonly parseMessage: (json: unknown) => Message },
): RunReader<Message> {
  const { database, at } = schema;
  return createRunReader(
    {
      location: schema.location,
      list: async (place, of) => {
        const { found, damaged } = await listRowFacts(schema, { place, of });
        return { found: found.map(toListedRun), damaged };
      },
      listRecent: async (limit) => {
        const { found, damaged } = await listRowFacts(schema, { place: 'completed', newest: limit });
        return { runs: found.map(({ metadata, outcome }) => toRecentRun(metadata, outcome)), damaged };
      },
      listKept: async () => {
        const rows = await database.query<{ uuid: string }>(`SELECT uuid FROM ${at}.runs`, []);
        return new Set(rows.map(({ uuid }) => uuid));
      },
      find: (prefix) => findRows(schema, prefix),
      readStanding: ({ uuid }) => readRowFacts(schema, uuid),
      openRecord: ({ uuid }) => openRecordRows(schema, uuid),
      readState: (uuid, name) => readState(schema, { uuid, name }),
    },
    options,
  );
}

/** Finds up to five runs whose uuid begins like this. */
async function findRows(schema: Schema, prefix: string): Promise<readonly FoundRun[]> {
  const { database, at } = schema;
  const fill = (digit: string) =>
    prefix +
    `${digit.repeat(8)}-${digit.repeat(4)}-${digit.repeat(4)}-${digit.repeat(4)}-${digit.repeat(12)}`.slice(
      prefix.length,
    );
  const rows = await database.query<Pick<FoundRun, 'uuid' | 'place'>>(
    `SELECT uuid, place FROM ${at}.runs WHERE uuid BETWEEN $1 AND $2 ORDER BY uuid LIMIT 5`,
    [fill('0'), fill('f')],
  );
  return rows.map((row) => ({ ...row, location: schema.location }));
}

/** Reads lines of runs that ended. */
export function createPostgresRunLines(schema: Schema): RunLines {
  const { database, at } = schema;

  async function readKind(uuid: string, { kind, ...bounds }: LineBounds & { readonly kind: LineKind }) {
    const facts = [...kindOf.keys()].filter((name) => kindOf.get(name) === kind);
    const lines = await listLastFacts(schema, { uuid, facts, limit: bounds.limit });
    const metadata = kind === 'planning' ? (await readRowFacts(schema, uuid)).metadata : null;
    return takeLast(
      lines.map((line) => toRunLine(line, { kind, metadata })),
      bounds,
    );
  }

  return {
    readLast: async <Kind extends LineKind>(uuid: string, wanted: Readonly<Record<Kind, LineBounds>>) => {
      const text = `SELECT FROM ${at}.runs WHERE uuid::text = $1 AND place <> 'paused'`;
      if ((await database.query(text, [uuid])).length === 0) return null;
      const kinds = Object.keys(wanted) as Kind[];
      const read = kinds.map(async (kind) => [kind, await readKind(uuid, { kind, ...wanted[kind] })]);
      return Object.fromEntries(await Promise.all(read));
    },
  };
}
