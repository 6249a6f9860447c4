import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Row, TaskStoreKind } from './task-store.ts';
import { toRow } from './to-row.ts';

/** `node:sqlite` with an index on the hash, as the seeds have it; it does not wait for the disk either. */
export const sqlite: TaskStoreKind = {
  fill: async (directory, rows) => {
    mkdirSync(directory, { recursive: true });
    const database = openDatabase(directory);
    database.exec('CREATE TABLE tasks (uuid TEXT PRIMARY KEY, task_key_hash TEXT, run TEXT)');
    database.exec('CREATE INDEX tasks_by_hash ON tasks (task_key_hash)');
    const insert = database.prepare('INSERT INTO tasks VALUES (?, ?, ?)');
    database.exec('BEGIN');
    for (const row of rows) insert.run(...toValues(row));
    database.exec('COMMIT');
    database.close();
  },
  open: async (directory) => {
    const database = openDatabase(directory);
    const find = database.prepare('SELECT run FROM tasks WHERE task_key_hash = ?');
    const insert = database.prepare('INSERT INTO tasks VALUES (?, ?, ?)');
    const update = database.prepare('UPDATE tasks SET run = ? WHERE uuid = ?');
    return {
      find: async (hash) => find.all(hash).map(({ run }) => JSON.parse(String(run)) as Row).length,
      insert: async (run) => void insert.run(...toValues(toRow(run))),
      update: async (run) => void update.run(JSON.stringify(toRow(run)), run.uuid),
      close: () => database.close(),
    };
  },
};

function openDatabase(directory: string): DatabaseSync {
  const database = new DatabaseSync(join(directory, 'tasks.db'));
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
  return database;
}

function toValues(row: Row): [string, string, string] {
  return [row.uuid, row.task_key_hash, JSON.stringify(row)];
}
