import type { RecentRun } from './index/recent-runs.ts';
import type { TaskState } from './lines/task-state.ts';
import type { RunMetadata } from './run-model.ts';

/**
 * Runs of a place as they change, for whoever keeps a picture of all of them: cheap to ask again and again, from any process, and it
 * changes nothing.
 *
 * @see docs/decisions/0076-read-models-of-runs.md
 */
export interface StorageWatch {
  /** Lists the runs that have not ended, each with a stamp; reads none of them. */
  readonly listStamps: () => Promise<RunStamps>;
  /** Reads what is known of runs that have not ended, without their records; those that are not there any more are left out. */
  readonly readHeads: (runs: readonly Pick<RunStamp, 'uuid' | 'place'>[]) => Promise<readonly RunHead[]>;
  /** Lists runs that ended, the latest first, in parts; null begins. One that ends meanwhile may be missed or listed twice. */
  readonly listEnded: (after: string | null, options: { readonly limit: number }) => Promise<EndedPart>;
  /**
   * Reads lines of a record behind a mark, or from the beginning; null for a run that is not kept. It stops after so many lines, or
   * earlier where they are long; there are more for as long as any come.
   */
  readonly readRecord: (
    uuid: string,
    options: { readonly from: RecordMark | null; readonly limit: number },
  ) => Promise<RecordPart | null>;
}

/** All runs that have not ended, and a stamp of those that did. */
export interface RunStamps {
  readonly live: readonly RunStamp[];
  /** Another one after a run has ended, or was removed. */
  readonly ended: string;
}

/** A run that has not ended, as it stands. */
export interface RunStamp {
  readonly uuid: string;
  readonly place: 'running' | 'paused';
  /** Another one after its record has grown, or was cut. */
  readonly stamp: string;
}

/** Facts of a run that has not ended. */
export interface RunHead {
  readonly uuid: string;
  readonly place: 'running' | 'paused';
  readonly metadata: RunMetadata;
  /** Null for one that is not paused. */
  readonly pause: TaskState | null;
}

/** Runs that ended. */
export interface EndedPart {
  readonly runs: readonly RecentRun[];
  /** Continues behind them; null at the end. */
  readonly next: string | null;
}

/** Place between two lines of a record. */
export interface RecordMark {
  /** Number of the line before it. */
  readonly line: number;
  /** Bytes before it, where the record is a file; 0 elsewhere. */
  readonly offset: number;
  /** End of the line before it, by which a record that was cut is told. */
  readonly seal: string;
}

/** Lines of a record. */
export interface RecordPart {
  readonly lines: readonly MarkedLine[];
  /** True where what was read before the mark does not stand there any more: these are the first lines of the record. */
  readonly isAnew: boolean;
  /** Place behind them; null for a record that has none. */
  readonly next: RecordMark | null;
}

/** Line of a record as it is written. */
export interface MarkedLine {
  /** Number of the line, from 1. */
  readonly line: number;
  readonly text: string;
}
