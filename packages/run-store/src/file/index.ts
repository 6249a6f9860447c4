export { type AcquireLockOptions, acquireLock, type Lock } from '../acquire-lock.ts';
export type { SyncedWrite } from '../file-run-journal.ts';
export { createFileRunStore, type FileRunStoreOptions } from '../file-run-store.ts';
export { clearPauseSignal, isPauseSignalled, setPauseSignal } from '../pause-signal.ts';
export { readLastLines } from '../read-last-lines.ts';
export { createFileRunControls } from '../run-controls.ts';
export { createFileRunReader, type FileRunReaderOptions } from '../run-reader.ts';
export { toStorageError, toSystemCode } from '../storage-error.ts';
export { type CleanUpOptions, cleanUpRuns } from '../task-index/clean-up-runs.ts';
export {
  createExpiryFiles,
  type ExpiredDay,
  type ExpiringRun,
  type ExpiryFiles,
  toKeepDays,
} from '../task-index/expiry-files.ts';
export { createFileTaskIndex, type FileTaskIndexOptions } from '../task-index/file-task-index.ts';
export { type PurgedTask, type PurgeOptions, purgeTask } from '../task-index/purge-task.ts';
export { createRunIndexer, type IndexRun } from '../task-index/run-indexer.ts';
export type { TaskIndexUpkeep } from '../task-index/task-index-upkeep.ts';
