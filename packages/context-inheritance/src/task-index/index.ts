export { type CleanUpOptions, cleanUpRuns } from './clean-up-runs.ts';
export {
  createExpiryFiles,
  type EndedRun,
  type ExpiredDay,
  type ExpiryFiles,
  toKeepDays,
} from './expiry-files.ts';
export { createFileTaskIndex, type FileTaskIndexOptions } from './file-task-index.ts';
export type { IndexedRun, TaskIndex, TaskReference } from './indexed-run.ts';
export { type PurgedTask, type PurgeOptions, purgeTask } from './purge-task.ts';
export { createRunIndexer, type IndexRun } from './run-indexer.ts';
export type { TaskIndexUpkeep } from './task-index-upkeep.ts';
