import { join } from 'node:path';
import {
  ContextStoreError,
  type IndexedRun,
  type Ownership,
  type RunStorage,
  type StorageUpkeep,
  type TaskIndex,
} from '@agent/run-store';
import {
  addRuns,
  createRunReader,
  createRunStore,
  describeEndedRun,
  toFirstKeptDay,
} from '@agent/run-store/driver';
import { createFileStorage } from '@agent/run-store/file';
import { createSqliteRunLines, createSqliteSource, readFacts } from './read-runs.ts';
import { type ConnectDatabase, RunDatabase } from './run-database.ts';
import { SqliteRunDriver } from './sqlite-run-driver.ts';

/** Options of a storage on SQLite. */
export interface SqliteStorageOptions {
  /** Holds `runs.sqlite`, and files with everything that is not a run. Must exist. */
  readonly directory: string;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
  /** Default waits 5 seconds for other programs that write. */
  readonly connect?: ConnectDatabase | undefined;
}

/**
 * Stores runs in a SQLite database. Ownership, notes, requests and spending are small and stay in files beside it.
 *
 * @example
 * const storage = createSqliteStorage({ directory });
 * const orchestrator = createOrchestrator({ platforms, model, directory, storage });
 */
export function createSqliteStorage({
  directory,
  now = Date.now,
  connect,
}: SqliteStorageOptions): RunStorage {
  const database = new RunDatabase(join(directory, 'runs.sqlite'), connect);
  // Copies of runs (`transfer`) and pictures of all of them (`watch`) are left out: those of the files know no rows.
  const { members, transfer: _, watch: __, ...files } = createFileStorage({ baseDirectory: directory, now });
  let admitted: number | null = null;
  const write: Write = (work) => database.writeAs(admitted, work);
  const index = createIndex(database, write);
  return {
    ...files,
    location: database.path,
    members: {
      ...members,
      acquire: async (options) => {
        const owner = await admitOwner(database, await members.acquire(options));
        admitted = owner.number;
        return owner;
      },
    },
    openStore: ({ owner, parseMessage }) =>
      createRunStore(new SqliteRunDriver({ database, owner, now }), { parseMessage, now }),
    openReader: (options) => createRunReader(createSqliteSource(database), options),
    lines: createSqliteRunLines(database),
    index: { find: index.find, open: async () => index },
    upkeep: createUpkeep(database, { verifyFiles: files.upkeep.verify, write, now }),
    close: async () => database.close(),
  };
}

/**
 * Lets an owner write to a database, and no owner with a lower number from then on.
 * @throws {ContextStoreError} `damaged` if its number is not higher than that of the last one
 */
export async function admitOwner(database: RunDatabase, owner: Ownership): Promise<Ownership> {
  if (database.run('UPDATE owner SET number = ? WHERE number < ?', owner.number, owner.number) === 1)
    return owner;
  await owner.release();
  const message = `"lock.json" beside "${database.path}" was deleted, and owners would repeat their numbers. Restore it from a copy.`;
  throw new ContextStoreError(message, { code: 'damaged' });
}

/** Runs work in one transaction, as the owner of the database. */
type Write = <Result>(work: () => Result) => Result;

/** Finds the runs of a task that ended. */
export function createIndex(database: RunDatabase, write: Write): Pick<TaskIndex, 'find' | 'remove'> {
  return {
    find: async ({ taskKeyHash, host }) => {
      const text = 'SELECT indexed FROM runs WHERE task_key_hash = ? AND host = ? AND indexed IS NOT NULL';
      const rows = database.all<{ readonly indexed: string }>(text, taskKeyHash, host);
      return addRuns(
        [],
        rows.map(({ indexed }) => JSON.parse(indexed) as IndexedRun),
      );
    },
    remove: async (_, uuid) =>
      void write(() => database.run('UPDATE runs SET indexed = NULL WHERE uuid = ?', uuid)),
  };
}

interface UpkeepOptions {
  readonly verifyFiles: StorageUpkeep['verify'];
  readonly write: Write;
  readonly now: () => number;
}

function createUpkeep(database: RunDatabase, { verifyFiles, write, now }: UpkeepOptions): StorageUpkeep {
  const list = (text: string, ...values: readonly string[]) =>
    database.all<{ readonly uuid: string }>(text, ...values).map(({ uuid }) => uuid);
  return {
    cleanUp: async ({ keepDays }) => {
      const expired = "DELETE FROM runs WHERE place = 'completed' AND moved_at < ? RETURNING uuid";
      return write(() => list(expired, toFirstKeptDay(now(), keepDays)));
    },
    purge: async ({ taskKeyHash, host }) => {
      const ofTask = 'task_key_hash = ? AND host = ?';
      const removed = `DELETE FROM runs WHERE place = 'completed' AND ${ofTask} RETURNING uuid`;
      return {
        removed: write(() => list(removed, taskKeyHash, host)),
        kept: list(`SELECT uuid FROM runs WHERE ${ofTask}`, taskKeyHash, host),
      };
    },
    rebuildIndex: async () => {
      const lines = createSqliteRunLines(database);
      const uuids = list("SELECT uuid FROM runs WHERE place = 'completed'");
      for (const uuid of uuids) {
        const entry = await describeEndedRun(readFacts(database, uuid), lines);
        const indexed = entry && JSON.stringify(entry);
        write(() => database.run('UPDATE runs SET indexed = ? WHERE uuid = ?', indexed, uuid));
      }
      return uuids.length;
    },
    verify: async () => {
      const { checked, faults } = await verifyFiles();
      const rows = database.all<{ readonly quick_check: string }>('PRAGMA quick_check');
      const broken = rows.map((row) => row.quick_check).filter((text) => text !== 'ok');
      return {
        checked: checked + 1,
        faults: [...faults, ...broken.map((text) => `"${database.path}": ${text}`)],
      };
    },
  };
}
