import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createCarriedStorage } from './carried/carried-storage.ts';
import { createFileRunControls } from './controls/run-controls.ts';
import { checkDisk } from './disk/check-disk.ts';
import { createFileRunStore } from './file/file-run-store.ts';
import { createFileStorage } from './file/file-storage.ts';
import { createFileRunLines, createFileRunReader } from './file/run-reader.ts';
import { createFileTaskIndex } from './index/file-task-index.ts';
import { copyRuns } from './migration/copy-runs.ts';
import { migrateRuns } from './migration/migrate-runs.ts';
import { acquireOwnership } from './ownership/acquire-ownership.ts';
import { PlanningHistoryStore } from './planning/planning-history-store.ts';
import { connectPostgres } from './postgres/connect-postgres.ts';
import { createPostgresStorage } from './postgres/postgres-storage.ts';
import { createPostgresQueue } from './postgres/queue/postgres-queue.ts';
import { createMemoryStorage } from './testing/memory/memory-storage.ts';

const baseDirectory = join(tmpdir(), 'never-made');
const database = {
  query: async () => [],
  transaction: async () => {},
  share: async () => {},
  close: async () => {},
};
const queue = { database, parseEntry: (json: unknown) => json, rules: { toGroup: () => '' }, concurrency: 1 };
const redact = (text: string) => text;
const medium = {
  location: 'x',
  read: async () => null,
  readVersion: async () => null,
  replace: async () => null,
};

describe('A public function of the run store', () => {
  it.each([
    ['FileStorageOptions must be an object; it is undefined.', () => createFileStorage(undefined as never)],
    [
      'FileStorageOptions.baseDirectory must be a path; it is undefined.',
      () => createFileStorage({} as never),
    ],
    [
      'FileStorageOptions.directory is unknown.',
      () => createFileStorage({ baseDirectory, directory: '/' } as never),
    ],
    [
      'FileStorageOptions.logger must be null or a logger',
      () => createFileStorage({ baseDirectory, logger: {} } as never),
    ],
    [
      'FileRunStoreOptions.parseMessage must be a function',
      () => createFileRunStore({ baseDirectory } as never),
    ],
    [
      'FileRunReaderOptions.parseMessage must be a function',
      () => createFileRunReader({ baseDirectory } as never),
    ],
    ['FileRunLinesOptions.baseDirectory must be a path', () => createFileRunLines({} as never)],
    ['FileRunControlsOptions must be an object', () => createFileRunControls(undefined as never)],
    [
      'FileTaskIndexOptions.maxKept must be a number',
      () => createFileTaskIndex({ baseDirectory, maxKept: '9' } as never),
    ],
    ['AcquireOwnershipOptions.baseDirectory must be a path', () => acquireOwnership({} as never)],
    [
      'DiskCheckOptions.minFreeBytes must be a number',
      () => checkDisk('/', { minFreeBytes: '1 GB' } as never),
    ],
    [
      'CarriedStorageOptions.redact must be a function',
      () => createCarriedStorage({ medium, baseDirectory } as never),
    ],
    [
      'CarriedStorageOptions.maxBytes must be a number',
      () => createCarriedStorage({ medium, baseDirectory, redact, maxBytes: '9' } as never),
    ],
    [
      'PlanningHistoryStoreOptions.journal must be an object with',
      () => new PlanningHistoryStore({} as never),
    ],
    ['CopyRunsOptions.from must be a storage', () => copyRuns({} as never)],
    [
      'MigrateOptions.apply must be true or false',
      () => migrateRuns({ baseDirectory, toTask: () => {} } as never).next(),
    ],
    ['PostgresOptions.url must be a text that is not empty', () => connectPostgres({} as never)],
    [
      'PostgresOptions.maxConnections must be a whole number',
      () => connectPostgres({ url: 'postgres://a@b/c', maxConnections: 1 }),
    ],
    ['PostgresStorageOptions.database must be a database', () => createPostgresStorage({} as never)],
    [
      'PostgresQueueOptions.concurrency must be a number',
      () => createPostgresQueue({ ...queue, concurrency: '2' } as never),
    ],
    [
      'PostgresQueueOptions.limits.perRepository is unknown.',
      () => createPostgresQueue({ ...queue, limits: { perRepository: 1 } } as never),
    ],
    ['MemoryStorageOptions.clock is unknown.', () => createMemoryStorage({ clock: 5 } as never)],
  ] satisfies readonly (readonly [string, () => unknown])[])(
    'names the option that it refuses: %s',
    async (message, call) => {
      const calling = Promise.resolve().then(call as () => unknown);
      await expect(calling).rejects.toBeInstanceOf(TypeError);
      await expect(calling).rejects.toThrow(message);
    },
  );

  it.each([-1, Number.NaN, '90'])(
    'removes nothing if it is told to keep runs for %j days',
    async (keepDays) => {
      const directory = mkdtempSync(join(tmpdir(), 'kept-runs-'));
      const { members, upkeep } = createFileStorage({ baseDirectory: directory });
      const owner = await members.acquire();
      await expect(upkeep.cleanUp({ keepDays } as never)).rejects.toThrow(
        'keepDays must be a number of at least 0',
      );
      await owner.release();
    },
  );
});
