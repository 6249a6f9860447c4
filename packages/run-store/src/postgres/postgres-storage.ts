import type { Logger } from '@agent/text';
import { checkOptions, type ExpectationsOf, expected, expectNumber } from '@agent/text/options';
import type { Sleep } from '../context-store-error.ts';
import type { RunStorage } from '../storage.ts';
import { createRunStore } from '../store/create-run-store.ts';
import type { Database } from './database.ts';
import { expectDatabase } from './database.ts';
import { createHealth } from './health.ts';
import { createIndexRows } from './index-rows.ts';
import { takePart } from './leadership.ts';
import { acquireMembership, type LeaseOptions, listMembers } from './membership.ts';
import { PostgresRunDriver } from './postgres-run-driver.ts';
import { createPostgresQueue } from './queue/postgres-queue.ts';
import { createPostgresRunLines, createPostgresRunReader } from './run-lists.ts';
import { prepareSchema, toSchema } from './schema.ts';
import { shareRequests } from './shared-requests.ts';
import { createSignals } from './signals.ts';
import {
  createAnswerRows,
  createControlRows,
  createNoteRows,
  createPauseRow,
  createSnapshotRows,
  createUseRows,
} from './small-rows.ts';
import { createAccountRows, createSpendingRows } from './spending-rows.ts';
import { createTransferRows } from './transfer-rows.ts';
import { createUpkeepRows } from './upkeep-rows.ts';
import { createWatchRows } from './watch-rows.ts';

/** Options of a place for runs in a database. */
export interface PostgresStorageOptions extends LeaseOptions {
  /** Closed along with the storage. */
  readonly database: Database;
  /** Schema that holds the tables; one for each cluster. Made when it is missing. Default `agent`. */
  readonly schema?: string | undefined;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
  /** Waits for a server that does not answer at once. Default a timer. */
  readonly sleep?: Sleep | undefined;
  readonly logger?: Logger | null | undefined;
}

const expectations: ExpectationsOf<PostgresStorageOptions> = {
  database: expectDatabase,
  schema: expected.text,
  now: expected.function,
  sleep: expected.function,
  logger: expected.logger,
  leaseMs: expectNumber(0),
  renewMs: expectNumber(0),
  clock: expected.function,
  repeat: expected.function,
};

/**
 * Keeps runs, and all that is kept beside them, in a schema of a database, for any number of processes on any hosts. The
 * tables are made, or brought up to date, when the first statement is sent.
 * @throws {ContextStoreError} `invalid` for a name that no schema has
 *
 * @example
 * const database = await connectPostgres({ url: 'postgres://agent@127.0.0.1/agent' });
 * const storage = createPostgresStorage({ database });
 * const owner = await storage.members.acquire();
 * const store = storage.openStore({ owner, parseMessage });
 */
export function createPostgresStorage(options: PostgresStorageOptions): RunStorage {
  checkOptions('PostgresStorageOptions', options, expectations, ['database']);
  const { now = Date.now, logger = null, schema: name = 'agent' } = options;
  const schema = toSchema(prepared(options.database, name), name);
  const { database } = schema;
  const drivers: PostgresRunDriver[] = [];
  const listOpenings = () => drivers.flatMap((driver) => driver.listOpenings());
  const signals = createSignals(schema);
  const { controls, pauseSignal, memory } = shareRequests({
    controls: createControlRows(schema, now),
    pauseSignal: createPauseRow(schema, now),
    signals,
  });
  const index = createIndexRows(schema);
  return {
    location: schema.location,
    members: {
      acquire: ({ exclusive, signal } = {}) => {
        signal?.throwIfAborted();
        return acquireMembership(schema, { ...options, exclusive, listOpenings, memory });
      },
      list: () => listMembers(schema, { gone: false }),
      listGone: () => listMembers(schema, { gone: true }),
    },
    openStore: ({ owner, parseMessage }) => {
      const driver = new PostgresRunDriver({ schema, owner, now });
      drivers.push(driver);
      return createRunStore(driver, { parseMessage, now, logger });
    },
    openReader: (given) => createPostgresRunReader(schema, given),
    openSpending: ({ owner }) => createSpendingRows(schema, { owner }),
    accounts: createAccountRows(schema),
    lines: createPostgresRunLines(schema),
    controls,
    pauseSignal,
    index: { find: index.find, open: async () => index },
    upkeep: createUpkeepRows(schema, { now, logger }),
    notes: createNoteRows(schema),
    snapshots: createSnapshotRows(schema, { listOpenings }),
    transfer: createTransferRows(schema),
    watch: createWatchRows(schema),
    signals,
    sharing: {
      openQueue: (given) =>
        createPostgresQueue({ ...given, database: options.database, schema: schema.queue }),
      use: createUseRows(schema),
      answers: createAnswerRows(schema),
      lead: (what, given) => takePart(schema, what, { ...options, ...given }),
    },
    health: createHealth({ ...schema, database: options.database }, { now, sleep: options.sleep }),
    close: async () => {
      await signals.close();
      await database.close();
    },
  };
}

/** The same database, whose tables are there before the first statement is carried out. */
function prepared(database: Database, name: string): Database {
  const schema = toSchema(database, name);
  let preparing: Promise<void> | null = null;
  const prepare = () => {
    preparing ??= prepareSchema(schema).catch((error: unknown) => {
      preparing = null;
      throw error;
    });
    return preparing;
  };
  return {
    ...database,
    query: async (text, values) => {
      await prepare();
      return database.query(text, values);
    },
    transaction: async (use, options) => {
      await prepare();
      return database.transaction(use, options);
    },
  };
}
