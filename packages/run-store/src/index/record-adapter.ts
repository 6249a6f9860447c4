import { mkdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Adapter } from 'lowdb';
import { privateDirectory } from '../disk/private-modes.ts';
import { syncDirectory, withFile } from '../disk/replace-file.ts';
import { toSystemCode } from '../disk/storage-error.ts';
import { readFileIfThere, toDamaged } from '../file/run-directory.ts';
import { formatTaskRecord, parseTaskRecord, type TaskRecord } from './task-record-file.ts';

let written = 0;

export interface RecordAdapterOptions {
  readonly taskKeyHash: string;
  /** Where a file is made before it takes the place of the old one. */
  readonly making: string;
}

/**
 * One task's file as lowdb's storage. lowdb's own writes with spaces, under one temporary name for everybody, and
 * does not wait for the disk.
 */
export function createRecordAdapter(path: string, options: RecordAdapterOptions): Adapter<TaskRecord> {
  const { taskKeyHash, making } = options;
  return {
    read: async () => {
      const text = await readFileIfThere(path).catch((error: unknown) => {
        return toSystemCode(error) === 'EISDIR' ? toDamaged(path)(error) : Promise.reject(error);
      });
      if (text === null) return null;
      return Promise.resolve(text)
        .then((found) => parseTaskRecord(found, taskKeyHash))
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
