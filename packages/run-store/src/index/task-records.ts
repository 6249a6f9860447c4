import { statSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Adapter, Low } from 'lowdb';
import { toDamaged, toSystemCode } from '../context-store-error.ts';
import { privateDirectory, readFileIfThere, syncDirectory, withFile } from '../disk/files.ts';
import { type IndexPlaces, toRecordPath } from '../places.ts';
import { formatTaskRecord, parseTaskRecord, type TaskRecord } from './task-record-file.ts';

/** The files of the index, of which those used last stay in memory. */
interface TaskRecords {
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

let written = 0;

interface RecordAdapterOptions {
  readonly taskKeyHash: string;
  /** Directory in which a file is made before it takes the place of the old one. */
  readonly making: string;
}

/**
 * One task's file as lowdb's storage. lowdb's own writes with spaces, under one temporary name for everybody, and
 * does not wait for the disk.
 */
function createRecordAdapter(path: string, options: RecordAdapterOptions): Adapter<TaskRecord> {
  const { taskKeyHash, making } = options;
  return {
    read: async () => {
      const text = await readFileIfThere(path).catch((error: unknown) => {
        return toSystemCode(error) === 'EISDIR' ? toDamaged(path)(error) : Promise.reject(error);
      });
      if (text === null) return null;
      return Promise.resolve(text)
        .then((found) => parseTaskRecord(JSON.parse(found), taskKeyHash))
        .catch(toDamaged(path));
    },
    write: async (record) => {
      written += 1;
      const temporary = join(making, `${basename(path)}.${process.pid}-${written}`);
      await replaceThrough(temporary, { path, text: formatTaskRecord(record) });
    },
  };
}

async function replaceThrough(
  temporary: string,
  { path, text }: { readonly path: string; readonly text: string },
): Promise<void> {
  try {
    await makeParents(() => writeSynced(temporary, text), [dirname(temporary)]);
    await makeParents(() => rename(temporary, path), [dirname(path)]);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
  await syncDirectory(dirname(path));
}

/** Directories are made when they turn out to be missing: most of the time they are there. */
async function makeParents(work: () => Promise<void>, parents: readonly string[]): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (toSystemCode(error) !== 'ENOENT') throw error;
    for (const parent of parents) {
      await mkdir(parent, { recursive: true, mode: privateDirectory });
      await syncDirectory(dirname(parent));
    }
    await work();
  }
}

function writeSynced(path: string, text: string): Promise<void> {
  return withFile(path, 'w', async (file) => {
    await file.writeFile(text);
    await file.datasync();
  });
}
