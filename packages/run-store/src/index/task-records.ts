import { statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Low } from 'lowdb';
import { type IndexPlaces, toRecordPath } from './index-places.ts';
import { createRecordAdapter } from './record-adapter.ts';
import type { TaskRecord } from './task-record-file.ts';

/** The files of the index, of which those used last stay in memory. */
export interface TaskRecords {
  /** Empty when there is no file. @throws {ContextStoreError} `damaged` for a file that says nothing readable */
  readonly load: (taskKeyHash: string) => Promise<TaskRecord>;
  /** A record without runs has no file. */
  readonly save: (record: TaskRecord) => Promise<void>;
}

interface KeptDatabase {
  readonly low: Low<TaskRecord>;
  readonly stamp: string;
}

/** At most `maxKept` databases are remembered; one whose file was exchanged meanwhile is read again. */
export function createTaskRecords(places: IndexPlaces, options: { readonly maxKept: number }): TaskRecords {
  // In the order of their last use: a map keeps the order of insertion.
  const kept = new Map<string, KeptDatabase>();

  function keep(taskKeyHash: string, database: KeptDatabase): void {
    kept.delete(taskKeyHash);
    kept.set(taskKeyHash, database);
    const [oldest] = kept.keys();
    if (kept.size > options.maxKept && oldest !== undefined) kept.delete(oldest);
  }

  function open(taskKeyHash: string, path: string): Low<TaskRecord> {
    const adapter = createRecordAdapter(path, { taskKeyHash, making: places.making });
    return new Low<TaskRecord>(adapter, { taskKeyHash, runs: [] });
  }

  return {
    load: async (taskKeyHash) => {
      const path = toRecordPath(places, taskKeyHash);
      const stamp = readStamp(path);
      const known = kept.get(taskKeyHash);
      if (known?.stamp === stamp) {
        keep(taskKeyHash, known);
        return known.low.data;
      }
      const low = open(taskKeyHash, path);
      await low.read();
      keep(taskKeyHash, { low, stamp });
      return low.data;
    },
    save: async (record) => {
      const path = toRecordPath(places, record.taskKeyHash);
      const low = kept.get(record.taskKeyHash)?.low ?? open(record.taskKeyHash, path);
      // Until the disk has it, memory must not say so.
      kept.delete(record.taskKeyHash);
      if (record.runs.length === 0) return rm(path, { force: true });
      low.data = record;
      await low.write();
      keep(record.taskKeyHash, { low, stamp: readStamp(path) });
    },
  };
}

/** Asked synchronously: it takes microseconds, fewer than a thread would be asked in. */
function readStamp(path: string): string {
  const status = statSync(path, { bigint: true, throwIfNoEntry: false });
  return status === undefined ? 'missing' : `${status.dev}:${status.ino}:${status.mtimeNs}:${status.size}`;
}
