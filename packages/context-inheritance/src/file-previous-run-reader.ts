import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isUuid } from '@agent/run-store';
import { readLastLines, toStorageError, toSystemCode } from '@agent/run-store/file';
import type { PreviousRunReader } from './ports.ts';

/** More than a run makes; a bound for files that are none of ours. */
const mostSummaries = 100;
const mostPlanEntries = 2_000;
/** A call has two lines, and each may hold what the tool gave back. */
const mostToolLines = 1_000;
const mostToolBytes = 8 * 1024 * 1024;

/** Options of the reader of earlier runs. */
export interface FilePreviousRunReaderOptions {
  /** Holds `completed/` and `running/`, where a run lies that ended and was not moved yet. */
  readonly baseDirectory: string;
  /** Looks the runs of a task up, such as `TaskIndex.find`. */
  readonly listRuns: PreviousRunReader['listRuns'];
}

/** Reads earlier runs from their directories: a few last lines of each file, whatever its size. Needs no lock. */
export function createFilePreviousRunReader(options: FilePreviousRunReaderOptions): PreviousRunReader {
  const base = resolve(options.baseDirectory);
  const read = (
    uuid: string,
    { file, ...bounds }: { readonly file: string; readonly limit: number; readonly maxBytes?: number },
  ) =>
    translated(uuid, async () => {
      const directory = await findDirectory(base, uuid);
      return directory === null ? null : readLastLines(join(directory, file), bounds);
    });
  return {
    listRuns: options.listRuns,
    readSummaries: (uuid) => read(uuid, { file: 'summaries.jsonl', limit: mostSummaries }),
    readPlanning: (uuid) => read(uuid, { file: join('planning', `${uuid}.jsonl`), limit: mostPlanEntries }),
    readTools: (uuid) => read(uuid, { file: 'tools.jsonl', limit: mostToolLines, maxBytes: mostToolBytes }),
  };
}

async function findDirectory(base: string, uuid: string): Promise<string | null> {
  if (!isUuid(uuid)) return null;
  for (const place of ['completed', 'running', 'completed']) {
    // Looked at again at the end: the run may be moved meanwhile.
    const directory = join(base, place, uuid);
    if (await isDirectory(directory)) return directory;
  }
  // A disk that is not mounted has no directories either, and is no reason to forget a run (decision C5).
  await readdir(join(base, 'completed'));
  return null;
}

async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if (toSystemCode(error) === 'ENOENT') return false;
    throw error;
  }
}

async function translated<Result>(uuid: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw toStorageError(error, `read run ${uuid}`);
  }
}
