import { ContextStoreError, type DamagedRun, type RunLines } from '@agent/run-store';
import {
  createRecordSource,
  createRunLines,
  type KnownFacts,
  type ListedRuns,
  listedFacts,
  type RecordSource,
  type RunPlace,
  type RunSource,
  toListedRun,
  toRecentRun,
  toRunFacts,
} from '@agent/run-store/driver';
import type { RunDatabase } from './run-database.ts';

/** Row of a run. */
export interface RunRow {
  readonly uuid: string;
  readonly place: RunPlace;
  /** Number of the opening that may write. */
  readonly opening: number;
}

/** Finds a run; undefined if it is not stored. */
export function findRun(database: RunDatabase, uuid: string): RunRow | undefined {
  return database.get('SELECT uuid, place, opening FROM runs WHERE uuid = ?', uuid);
}

/** @throws {ContextStoreError} `invalid` if the run is not stored */
export function requireRun(database: RunDatabase, uuid: string): RunRow {
  const run = findRun(database, uuid);
  if (run !== undefined) return run;
  const message = `There is no run ${uuid} in "${database.path}". Check the uuid.`;
  throw new ContextStoreError(message, { code: 'invalid' });
}

/** Opens the record of a run, which is read 200 lines at a time. */
export function openRecord(database: RunDatabase, uuid: string): RecordSource {
  const text = 'SELECT line, body FROM lines WHERE uuid = ? AND line > ? ORDER BY line LIMIT 200';
  return createRecordSource(`${database.path}, run ${uuid}`, async function* ({ line }) {
    for (let after: number | undefined = line; after !== undefined; ) {
      const rows: readonly { readonly line: number; readonly body: string }[] = database.all(
        text,
        uuid,
        after,
      );
      yield rows.map(({ body }) => Buffer.from(body));
      after = rows.at(-1)?.line;
    }
  });
}

/** Texts of the lines of a run from a line on. */
export function readLines(
  database: RunDatabase,
  uuid: string,
  { from, limit = -1 }: { readonly from: number; readonly limit?: number },
): readonly string[] {
  const text = 'SELECT body FROM lines WHERE uuid = ? AND line >= ? ORDER BY line LIMIT ?';
  return database.all<{ readonly body: string }>(text, uuid, from, limit).map(({ body }) => body);
}

/** Reads the facts of a run that lists show. */
export function readFacts(database: RunDatabase, uuid: string): KnownFacts {
  const rows = database.all<{ readonly body: string }>(
    'SELECT body FROM lines WHERE uuid = ? AND fact IN (SELECT value FROM json_each(?)) ORDER BY line',
    ...[uuid, JSON.stringify(listedFacts)],
  );
  const texts = rows.map(({ body }) => body);
  return toRunFacts(uuid, texts);
}

/** Lists the runs in a place, the oldest first. */
export function listRuns(database: RunDatabase, place: RunPlace): ListedRuns {
  const text = 'SELECT uuid FROM runs WHERE place = ? ORDER BY created_at, uuid';
  const { found, damaged } = readEach(database, database.all<RunRow>(text, place));
  return { found: found.map(toListedRun), damaged };
}

/** Reads the facts of runs. A damaged run does not hide the others. */
function readEach(database: RunDatabase, runs: readonly Pick<RunRow, 'uuid'>[]) {
  const found: KnownFacts[] = [];
  const damaged: DamagedRun[] = [];
  for (const { uuid } of runs) {
    try {
      found.push(readFacts(database, uuid));
    } catch (error) {
      if (ContextStoreError.isInstance(error) && error.code.startsWith('storage')) throw error;
      damaged.push({ name: uuid, reason: `${error}` });
    }
  }
  return { found, damaged };
}

/** Reads a value of a run's state; null if it was never written. */
export function readState(database: RunDatabase, uuid: string, name: string): unknown {
  requireRun(database, uuid);
  const row = database.get<{ readonly value: string }>(
    'SELECT value FROM state WHERE uuid = ? AND name = ?',
    uuid,
    name,
  );
  return row === undefined ? null : JSON.parse(row.value);
}

/** Reads lines of runs for later runs. */
export function createSqliteRunLines(database: RunDatabase): RunLines {
  return createRunLines(async (uuid) => {
    const place = findRun(database, uuid)?.place ?? 'paused';
    if (place === 'paused') return null;
    return { record: openRecord(database, uuid), metadata: readFacts(database, uuid).metadata };
  });
}

/** Reads runs for any process, the owner or not. */
export function createSqliteSource(database: RunDatabase): RunSource {
  return {
    location: database.path,
    list: async (place) => listRuns(database, place),
    listRecent: async (limit) => {
      const text = "SELECT uuid FROM runs WHERE place = 'completed' ORDER BY moved_at DESC, uuid LIMIT ?";
      const { found, damaged } = readEach(database, database.all<RunRow>(text, limit));
      return { runs: found.map(({ metadata, outcome }) => toRecentRun(metadata, outcome)), damaged };
    },
    listKept: async () => new Set(database.all<RunRow>('SELECT uuid FROM runs').map(({ uuid }) => uuid)),
    find: async (prefix) => {
      const text = 'SELECT uuid, place FROM runs WHERE substr(uuid, 1, length(?)) = ? ORDER BY uuid LIMIT 5';
      return database.all<RunRow>(text, prefix, prefix).map((run) => ({ ...run, location: database.path }));
    },
    readStanding: async ({ uuid }) => readFacts(database, uuid),
    openRecord: ({ uuid }) => openRecord(database, uuid),
    readState: async (uuid, name) => readState(database, uuid, name),
  };
}
