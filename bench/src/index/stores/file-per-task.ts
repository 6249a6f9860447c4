import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFileTaskIndex } from '@agent/run-store/file';
import { host } from '../sample-run.ts';
import type { TaskStoreKind } from './task-store.ts';

/** Ours: one small lowdb file for each task. */
export const filePerTask: TaskStoreKind = {
  fill: async (directory, rows) => {
    const made = new Set<string>();
    for (const { task_key_hash: hash, ...run } of rows) {
      const parent = join(directory, 'index', hash.slice(0, 2));
      if (!made.has(parent)) mkdirSync(parent, { recursive: true });
      made.add(parent);
      const record = { version: 1, task_key_hash: hash, runs: [run] };
      writeFileSync(join(parent, `${hash}.json`), JSON.stringify(record));
    }
  },
  open: async (directory) => {
    const index = createFileTaskIndex({ baseDirectory: directory });
    return {
      find: async (taskKeyHash) => (await index.find({ taskKeyHash, host })).length,
      insert: index.put,
      update: index.put,
      close: () => {},
    };
  },
};
