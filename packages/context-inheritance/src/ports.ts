import type { PreviousRun } from './model.ts';

/** Names a task in the index: the hash does not contain the host, so both have to match (decision C7). */
export interface IndexedTask {
  /** SHA-256 of the task's canonical text, in hexadecimal. */
  readonly taskKeyHash: string;
  readonly host: string;
}

/**
 * Reads what earlier runs left behind. Lines come as they were written, oldest first: a damaged one among them costs
 * that line and no more. A function rejects when it could not look; null says that it looked and the run's directory
 * is not there.
 */
export interface PreviousRunReader {
  /** The runs of one task, in any order; empty for a task that is not known. `TaskIndex.find` is one. */
  readonly listRuns: (task: IndexedTask) => Promise<readonly PreviousRun[]>;
  /** The last lines of `summaries.jsonl`. */
  readonly readSummaries: (uuid: string) => Promise<readonly string[] | null>;
  /** The lines of `planning/{uuid}.jsonl`; empty for a run that did not plan. */
  readonly readPlanning: (uuid: string) => Promise<readonly string[] | null>;
  /** The last lines of `tools.jsonl`, a few hundred of them; empty when the run called no tool. */
  readonly readTools: (uuid: string) => Promise<readonly string[] | null>;
}
