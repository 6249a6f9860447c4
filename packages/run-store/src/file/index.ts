export { type AcquireLockOptions, acquireLock, type Lock } from '../controls/acquire-lock.ts';
export { clearPauseSignal, isPauseSignalled, setPauseSignal } from '../controls/pause-signal.ts';
export { createFileRunControls } from '../controls/run-controls.ts';
export { readLastLines } from '../disk/read-last-lines.ts';
export { toStorageError, toSystemCode } from '../disk/storage-error.ts';
export { type CleanUpOptions, cleanUpRuns } from '../index/clean-up-runs.ts';
export {
  createExpiryFiles,
  type ExpiredDay,
  type ExpiringRun,
  type ExpiryFiles,
  toKeepDays,
} from '../index/expiry-files.ts';
export { createFileTaskIndex, type FileTaskIndexOptions } from '../index/file-task-index.ts';
export { type PurgedTask, type PurgeOptions, purgeTask } from '../index/purge-task.ts';
export { createRunIndexer, type IndexRun } from '../index/run-indexer.ts';
export type { TaskIndexUpkeep } from '../index/task-index-upkeep.ts';
export type { SyncedWrite } from '../journal/file-run-journal.ts';
export { createFileRunStore, type FileRunStoreOptions } from './file-run-store.ts';
export { createFileRunReader, type FileRunReaderOptions } from './run-reader.ts';
