import type { RunStorage } from '@agent/run-store';

/** Runs of a place as they change. */
export type StorageWatch = NonNullable<RunStorage['watch']>;

/** All runs that have not ended, and a stamp of those that did. */
export type RunStamps = Awaited<ReturnType<StorageWatch['listStamps']>>;

/** A run that has not ended, as it stands. */
export type RunStamp = RunStamps['live'][number];

/** Facts of a run that has not ended. */
export type RunHead = Awaited<ReturnType<StorageWatch['readHeads']>>[number];

/** Place between two lines of a record. */
export type RecordMark = NonNullable<Parameters<StorageWatch['readRecord']>[1]['from']>;
