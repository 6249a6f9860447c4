import { readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { PlatformError } from '@agent/platforms';
import { formatTaskFile, parseTaskFile, type TaskFile } from './task-file.ts';

/** A task as it lies in the folder. */
export interface FoundTask {
  readonly path: string;
  readonly number: number;
  readonly file: TaskFile;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

type Signal = AbortSignal | undefined;

/** The tracker itself: a folder of Markdown files, `0042-any-name.md`. */
export interface TaskFolder {
  /** All tasks, by number. */
  readonly list: (signal: Signal) => Promise<readonly FoundTask[]>;
  /** @throws PlatformError `not-found` */
  readonly find: (number: string, signal: Signal) => Promise<FoundTask>;
  /** Writes what `edit` changes; nothing when that is nothing. */
  readonly change: (
    number: string,
    signal: Signal,
    edit: (file: TaskFile) => Partial<TaskFile>,
  ) => Promise<void>;
}

const numberOf = (path: string) => Number.parseInt(basename(path), 10);

export function openTaskFolder(folder: string): TaskFolder {
  let changes: Promise<unknown> = Promise.resolve();

  async function listPaths(signal: Signal): Promise<readonly string[]> {
    signal?.throwIfAborted();
    const names = (await readdir(folder)).filter((file) => /^\d+.*\.md$/.test(file));
    return names.map((file) => join(folder, file)).sort((one, other) => numberOf(one) - numberOf(other));
  }

  const list = async (signal: Signal) => Promise.all((await listPaths(signal)).map(read));

  async function find(number: string, signal: Signal): Promise<FoundTask> {
    const path = (await listPaths(signal)).find((one) => String(numberOf(one)) === number);
    if (path !== undefined) return read(path);
    throw new PlatformError(`There is no task ${number} in ${folder}.`, { code: 'not-found' });
  }

  async function write(number: string, signal: Signal, edit: (file: TaskFile) => Partial<TaskFile>) {
    const { path, file } = await find(number, signal);
    const edited = edit(file);
    if (Object.keys(edited).length === 0) return;
    await writeFile(`${path}.tmp`, formatTaskFile({ ...file, ...edited }));
    await rename(`${path}.tmp`, path);
  }

  return {
    list,
    find,
    // Changes follow one another, and whoever reads sees a file before or after one, never half of it.
    change: (number, signal, edit) => {
      const changing = changes.then(() => write(number, signal, edit));
      changes = changing.catch(() => undefined);
      return changing;
    },
  };
}

async function read(path: string): Promise<FoundTask> {
  const [text, { birthtime, mtime }] = await Promise.all([readFile(path, 'utf8'), stat(path)]);
  try {
    const file = parseTaskFile(text);
    return { path, number: numberOf(path), file, createdAt: birthtime, updatedAt: mtime };
  } catch (cause) {
    throw new PlatformError(`${path}: ${(cause as Error).message}`, { code: 'invalid', cause });
  }
}
