import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { MessageLike } from '@agent/run-store';
import { newRun } from '@agent/run-store/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSqliteStorage } from './create-sqlite-storage.ts';
import { RunDatabase } from './run-database.ts';

describe('RunDatabase', () => {
  let directory: string;
  let path: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'sqlite-runs-'));
    path = join(directory, 'runs.sqlite');
  });
  afterEach(() => rm(directory, { recursive: true }));

  const impatient = (file: string) => new DatabaseSync(file, { timeout: 0 });
  const open = (file = path) => new RunDatabase(file, impatient);

  it('reports a file that is not a database', async () => {
    await writeFile(path, 'A text that a user stored under this name. '.repeat(30));
    expect(() => open()).toThrow(
      expect.objectContaining({
        code: 'damaged',
        message: expect.stringContaining('is not a SQLite database'),
      }),
    );
  });

  it('reports a directory that does not exist', () => {
    expect(() => open(join(directory, 'missing', 'runs.sqlite'))).toThrow(
      expect.objectContaining({
        code: 'storage-failed',
        message: expect.stringContaining('Check that its directory exists'),
      }),
    );
  });

  it('refuses tables of another version, and leaves them as they are', () => {
    const other = new DatabaseSync(path);
    other.exec('CREATE TABLE runs (name TEXT); PRAGMA user_version = 9');
    expect(() => open()).toThrow(expect.objectContaining({ code: 'other-version' }));
    expect(other.prepare('SELECT name FROM sqlite_schema').all()).toEqual([{ name: 'runs' }]);
    other.close();
  });

  it('lists the other runs, and reports the damaged one, if a row was changed', async () => {
    const storage = createSqliteStorage({ directory });
    const owner = await storage.members.acquire();
    const parseMessage = (json: unknown) => json as MessageLike;
    const store = storage.openStore({ owner, parseMessage });
    const [damaged, whole] = [crypto.randomUUID(), crypto.randomUUID()];
    for (const uuid of [damaged, whole]) await store.open(newRun(uuid));
    const sqlite = new DatabaseSync(path);
    sqlite.prepare("UPDATE lines SET body = '{' WHERE line = 1 AND uuid = ?").run(damaged);
    sqlite.close();
    const { running, damaged: reported } = await storage
      .openReader({ parseMessage })
      .readOverview({ recent: 1 });
    expect(running).toMatchObject([{ uuid: whole }]);
    expect(reported).toEqual([{ name: damaged, reason: expect.stringContaining('JSON') }]);
    await owner.release();
    await storage.close();
  });

  it('reports a database that another program has locked, when it is opened and at each write', async () => {
    const storage = createSqliteStorage({ directory, connect: impatient });
    const owner = await storage.members.acquire();
    const store = storage.openStore({
      owner,
      parseMessage: (json) => json as MessageLike,
    });
    const { journal } = await store.open(newRun(crypto.randomUUID()));
    const other = new DatabaseSync(path);
    other.exec('BEGIN EXCLUSIVE');
    const locked = {
      code: 'storage-failed',
      message: expect.stringContaining('Another program has locked it'),
    };
    expect(() => open()).toThrow(expect.objectContaining(locked));
    const fact = { type: 'fact', name: 'observed', data: 1 } as const;
    await expect(journal.append(fact)).rejects.toMatchObject(locked);
    other.close();
    await owner.release();
    await storage.close();
  });
});
