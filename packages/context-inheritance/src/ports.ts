import type { TaskReference } from '@agent/platforms';
import type { PreviousRun } from './model.ts';

/**
 * Reads what earlier runs left behind. Lines come as they were written, oldest first: a damaged one among them costs
 * that line and no more. A function rejects when it could not look; null says that it looked and the run's directory
 * is not there.
 */
export interface PreviousRunReader {
  /** The runs of one task, in any order; empty for a task that is not known. `TaskIndex.find` is one. */
  readonly listRuns: (task: TaskReference) => Promise<readonly PreviousRun[]>;
  /** The last lines of the named files of one run, a few hundred of `tools`; none of a file that the run had no use for. */
  readonly readLines: <Kind extends PreviousLineKind>(
    uuid: string,
    kinds: readonly Kind[],
  ) => Promise<Readonly<Record<Kind, readonly string[]>> | null>;
}

/** File of an earlier run: `summaries.jsonl`, `planning/{uuid}.jsonl`, `tools.jsonl`. */
export type PreviousLineKind = 'summaries' | 'planning' | 'tools';
