import type { ThreadReference } from '@agent/platforms';
import { ContextStoreError } from '../context-store-error.ts';
import { type LineBounds, takeLast } from '../disk/lines.ts';
import type { ListedRuns } from '../driver.ts';
import { toRecentRun } from '../index/recent-runs.ts';
import { readHistory } from '../journal/read-journal.ts';
import { toPlanningLine } from '../lines/planning-line.ts';
import { sliceProjectedLine } from '../lines/record-line.ts';
import { parseFact } from '../record/read-record.ts';
import type { RunPlace } from '../run-model.ts';
import { kindOf, type LineKind, type RunLines, type RunReader } from '../run-reader.ts';
import { requirePrefix } from '../run-uuid.ts';
import { toListedRun, toPausedRuns, toUnfinishedRuns } from '../store/list-runs.ts';
import { listLastFacts, listRowFacts, openRecordRows, readRowFacts } from './record-rows.ts';
import type { Schema } from './schema.ts';
import { readState } from './state-rows.ts';

/** Lists the runs of a place, the oldest first; or those of one thread. */
async function list(schema: Schema, place: RunPlace, of?: ThreadReference): Promise<ListedRuns> {
  const { found, damaged } = await listRowFacts(schema, { place, of });
  return { found: found.map(toListedRun), damaged };
}

/** Reads the runs of a database as any process can. */
export function createPostgresRunReader<Message>(
  schema: Schema,
  { parseMessage }: { readonly parseMessage: (json: unknown) => Message },
): RunReader<Message> {
  const { database, at } = schema;
  return {
    readOverview: async ({ recent }) => {
      // In the order in which runs move: one that moves meanwhile is seen twice rather than never.
      const running = toUnfinishedRuns(await list(schema, 'running'));
      const paused = toPausedRuns(await list(schema, 'paused'));
      const ended = await listRowFacts(schema, { place: 'completed', newest: recent });
      return {
        ...{ running: running.runs, pausing: running.pausing, paused: paused.runs },
        recent: ended.found.map(({ metadata, outcome }) => toRecentRun(metadata, outcome)),
        damaged: [...running.damaged, ...paused.damaged, ...ended.damaged],
      };
    },
    listRunning: async ({ of } = {}) => toUnfinishedRuns(await list(schema, 'running', of)).runs,
    readRun: async (name) => {
      const { uuid, place } = await findRow(schema, name);
      const { metadata, pause, outcome } = await readRowFacts(schema, uuid);
      return {
        ...{ uuid, place, metadata, pause, outcome },
        location: `${database.location}, schema ${at}`,
        state: { read: (wanted) => readState(schema, { uuid, name: wanted }) },
        history: () => readHistory(openRecordRows(schema, uuid), { parseMessage }),
      };
    },
    listKept: async () => {
      const rows = await database.query<{ uuid: string }>(`SELECT uuid FROM ${at}.runs`, []);
      return new Set(rows.map(({ uuid }) => uuid));
    },
  };
}

interface FoundRow {
  readonly uuid: string;
  readonly place: RunPlace;
}

/** Finds a run by its uuid, or by the beginning of it. */
async function findRow({ database, at }: Schema, name: string): Promise<FoundRow> {
  const prefix = requirePrefix(name);
  const fill = (digit: string) =>
    prefix +
    `${digit.repeat(8)}-${digit.repeat(4)}-${digit.repeat(4)}-${digit.repeat(4)}-${digit.repeat(12)}`.slice(
      prefix.length,
    );
  const rows = await database.query<FoundRow>(
    `SELECT uuid, place FROM ${at}.runs WHERE uuid BETWEEN $1 AND $2 ORDER BY uuid LIMIT 5`,
    [fill('0'), fill('f')],
  );
  const [found, another] = rows;
  const where = `${database.location}, schema ${at}`;
  if (found === undefined)
    throw isInvalid(`No run begins with "${prefix}" in ${where}. "status" lists the runs.`);
  if (another === undefined) return found;
  const names = rows.map(({ uuid, place }) => `${uuid} (${place})`).join(', ');
  throw isInvalid(`More than one run begins with "${prefix}": ${names}. Give more of the uuid.`);
}

function isInvalid(message: string): ContextStoreError {
  return new ContextStoreError(message, { code: 'invalid' });
}

/** Reads lines of runs that ended. */
export function createPostgresRunLines(schema: Schema): RunLines {
  const { database, at } = schema;

  async function readKind(uuid: string, { kind, ...bounds }: LineBounds & { readonly kind: LineKind }) {
    const facts = [...kindOf.keys()].filter((name) => kindOf.get(name) === kind);
    const lines = await listLastFacts(schema, { uuid, facts, limit: bounds.limit });
    const read = kind === 'planning' ? await openPlanningLines(schema, uuid) : sliceProjectedLine;
    return takeLast(
      lines.map((line) => read(line).trimEnd()),
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

async function openPlanningLines(schema: Schema, uuid: string): Promise<(text: string) => string> {
  const { metadata } = await readRowFacts(schema, uuid);
  return (text) => toPlanningLine(parseFact(text), metadata) ?? '{}';
}
