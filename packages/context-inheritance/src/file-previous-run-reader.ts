import { createFileRunLines } from '@agent/run-store/file';
import type { PreviousRunReader } from './ports.ts';

/** More than a run makes; a bound for files that are none of ours. */
const mostSummaries = 100;
const mostPlanEntries = 2_000;
/** A call has two lines, and each may hold what the tool gave back. */
const mostToolLines = 1_000;
const mostToolBytes = 8 * 1024 * 1024;

/** Options of the reader of earlier runs. */
export interface FilePreviousRunReaderOptions {
  /** The run store's. */
  readonly baseDirectory: string;
  /** Looks the runs of a task up, such as `TaskIndex.find`. */
  readonly listRuns: PreviousRunReader['listRuns'];
}

/**
 * Reads earlier runs as the store in files keeps them: a few last lines of each, whatever its size. Needs no lock.
 *
 * @example
 * const reader = createFilePreviousRunReader({ baseDirectory, listRuns: index.find });
 * await reader.readSummaries(uuid); // the last lines of summaries.jsonl; null where the run is gone
 */
export function createFilePreviousRunReader(options: FilePreviousRunReaderOptions): PreviousRunReader {
  const { readLast } = createFileRunLines(options);
  return {
    listRuns: options.listRuns,
    readSummaries: (uuid) => readLast(uuid, { of: 'summaries', limit: mostSummaries }),
    readPlanning: (uuid) => readLast(uuid, { of: 'planning', limit: mostPlanEntries }),
    readTools: (uuid) => readLast(uuid, { of: 'tools', limit: mostToolLines, maxBytes: mostToolBytes }),
  };
}
