import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Low } from 'lowdb';
import { JSONFile } from 'lowdb/node';
import type { Row, TaskStoreKind } from './task-store.ts';
import { toRow } from './to-row.ts';

interface Tasks {
  readonly tasks: Row[];
}

const toPath = (directory: string) => join(directory, 'tasks.json');

/** What one would write first: all tasks in one lowdb file, with lowdb's own adapter. */
export const singleFile: TaskStoreKind = {
  fill: async (directory, rows) => {
    await mkdir(directory, { recursive: true });
    await writeFile(toPath(directory), JSON.stringify({ tasks: [...rows] }, null, 2));
  },
  open: async (directory) => {
    const low = new Low<Tasks>(new JSONFile(toPath(directory)), { tasks: [] });
    await low.read();
    return {
      find: async (hash) => low.data.tasks.filter((row) => row.task_key_hash === hash).length,
      insert: (run) => low.update(({ tasks }) => void tasks.push(toRow(run))),
      update: (run) =>
        low.update(({ tasks }) => {
          tasks[tasks.findIndex(({ uuid }) => uuid === run.uuid)] = toRow(run);
        }),
      close: () => {},
    };
  },
};
