import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { MessageLike, Ownership, RunStorage } from '@agent/run-store';
import { createRunReader, createRunStore } from '@agent/run-store/driver';
import { acquireOwnership } from '@agent/run-store/file';
import {
  type RecordDamageFixture,
  type RunStorageFixture,
  recordDamageContract,
  runStorageContract,
  runStoreContract,
} from '@agent/run-store/testing';
import { describe, it } from 'vitest';
import { admitOwner, createIndex, createSqliteStorage } from './create-sqlite-storage.ts';
import { createSqliteRunLines, createSqliteSource } from './read-runs.ts';
import { RunDatabase } from './run-database.ts';
import { SqliteRunDriver } from './sqlite-run-driver.ts';

interface Clock {
  readonly now: () => number;
}

/** A database whose next commit fails: before it reaches the disk, or after. */
class FailingDatabase extends DatabaseSync {
  fault: 'before' | 'after' | null = null;

  override exec(sql: string): void {
    const fault = sql === 'COMMIT' ? this.fault : null;
    if (fault !== 'before') super.exec(sql);
    if (fault === null) return;
    this.fault = null;
    throw new Error(`The disk failed ${fault} a commit.`);
  }
}

const parseMessage = (json: unknown) => json as MessageLike;
const makeDirectory = () => mkdtemp(join(tmpdir(), 'sqlite-runs-'));

/** Processes that open one database, each with a connection of its own. */
async function createStoreFixture({
  now,
}: Clock): Promise<RecordDamageFixture & { readonly close: () => Promise<void> }> {
  const directory = await makeDirectory();
  const path = join(directory, 'runs.sqlite');
  const opened: { readonly database: RunDatabase; readonly owner: Ownership }[] = [];
  return {
    start: async () => {
      const sqlite = new FailingDatabase(path);
      const database = new RunDatabase(path, () => sqlite);
      // No silence is too short: a process that still lives is replaced at once.
      const owner = await admitOwner(
        database,
        await acquireOwnership({ baseDirectory: directory, silenceMs: 0 }),
      );
      opened.push({ database, owner });
      return {
        owner,
        store: createRunStore(new SqliteRunDriver({ database, owner, now }), { parseMessage, now }),
        reader: createRunReader(createSqliteSource(database), { parseMessage }),
        index: createIndex(database, (work) => database.writeAs(owner.number, work)),
        lines: createSqliteRunLines(database),
        failNext: (when) => {
          sqlite.fault = when;
        },
        kill: async () => database.close(),
      };
    },
    damage: async (uuid, text) => {
      const sqlite = new DatabaseSync(path);
      const changed = text.replace(/.$/, (letter) => (letter === 'x' ? 'y' : 'x'));
      const set = 'UPDATE lines SET body = replace(body, ?, ?) WHERE uuid = ?';
      sqlite.prepare(set).run(`"${text}"`, `"${changed}"`, uuid);
      sqlite.close();
    },
    close: async () => {
      for (const { database, owner } of opened) {
        await owner.release();
        database.close();
      }
      await rm(directory, { recursive: true });
    },
  };
}

async function createStorageFixture({
  now,
}: Clock): Promise<RunStorageFixture & { readonly close: () => Promise<void> }> {
  const directory = await makeDirectory();
  const opened: RunStorage[] = [];
  return {
    open: async () => {
      const storage = createSqliteStorage({ directory, now });
      opened.push(storage);
      return storage;
    },
    close: async () => {
      for (const storage of opened) await storage.close();
      await rm(directory, { recursive: true });
    },
  };
}

describe('the store on SQLite', () => {
  for (const { name, run } of runStoreContract({ create: createStoreFixture })) it(name, run);
  for (const { name, run } of recordDamageContract({ create: createStoreFixture })) it(name, run);
});

describe('the storage on SQLite', () => {
  for (const { name, run } of runStorageContract({ create: createStorageFixture })) it(name, run);
});
