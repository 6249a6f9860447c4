import type { Logger } from '@agent/text';
import { ContextStoreError } from '../context-store-error.ts';
import type { CarriedFiles } from './carried-files.ts';

/** Options of `fitFiles`. */
export interface FitFilesOptions {
  readonly maxBytes: number;
  /** Place of the record, in words for people. */
  readonly location: string;
  readonly logger: Logger | null;
}

/** Directory of a run that has ended: an earlier one of the task. */
const ended = /^runs\/completed\/[^/]+\//;

/** Files that are made again from the record of their run. */
const derived = /^runs\/(?:running|paused|completed)\/[^/]+\/(?:current|tools|summaries)\.jsonl$/;

/**
 * Leaves out what the next process can do without until the rest fits: files that are made again from the record, then whole runs that have
 * ended, the largest first.
 * @throws {ContextStoreError} `storage-full` if the run at work alone is too large
 */
export function fitFiles(files: CarriedFiles, { maxBytes, location, logger }: FitFilesOptions): CarriedFiles {
  if (countBytes(files) <= maxBytes) return files;
  const fitted = new Map(files);
  for (const path of files.keys()) if (derived.test(path) && !ended.test(path)) fitted.delete(path);
  for (const run of listBySize(files)) {
    if (countBytes(fitted) <= maxBytes) break;
    for (const path of files.keys()) if (path.startsWith(run)) fitted.delete(path);
    logger?.warn({ run, record: location }, 'left an ended run out of the record, which is too large');
  }
  const bytes = countBytes(fitted);
  if (bytes <= maxBytes) return fitted;
  const message = `${location} would take ${toMegabytes(bytes)} MB, and at most ${toMegabytes(maxBytes)} MB are stored. Raise the limit, or stop the task.`;
  throw new ContextStoreError(message, { code: 'storage-full' });
}

/** Lists the directories of runs that have ended, the largest first. */
function listBySize(files: CarriedFiles): readonly string[] {
  const sizes = new Map<string, number>();
  for (const [path, { length }] of files) {
    const [run] = ended.exec(path) ?? [];
    if (run !== undefined) sizes.set(run, (sizes.get(run) ?? 0) + length);
  }
  return [...sizes].sort(([, one], [, other]) => other - one).map(([run]) => run);
}

function countBytes(files: CarriedFiles): number {
  return [...files.values()].reduce((sum, { length }) => sum + length, 0);
}

function toMegabytes(bytes: number): number {
  return Math.ceil((bytes / 1024 / 1024) * 10) / 10;
}
