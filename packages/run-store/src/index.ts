export { type AcquireLockOptions, acquireLock, type Lock } from './acquire-lock.ts';
export { ContextStoreError, type ContextStoreErrorCode } from './context-store-error.ts';
export type { SyncedWrite } from './file-run-journal.ts';
export { createFileRunStore, type FileRunStoreOptions } from './file-run-store.ts';
export type { FinalSummaryState, NewFinalSummary } from './final-summary-file.ts';
export { hashTaskKey } from './hash-task-key.ts';
export { isFailedSummary } from './is-failed-summary.ts';
export type {
  JournalEntry,
  JournalEvent,
  MessageEntry,
  MessageEvent,
  MessageLike,
  RunEnd,
  RunSummary,
} from './journal-model.ts';
export { clearPauseSignal, isPauseSignalled, setPauseSignal } from './pause-signal.ts';
export type {
  PlanningEntry,
  PlanningEntryOf,
  PlanningEvent,
  PlanningPlace,
} from './planning-history/planning-entry.ts';
export {
  PlanningHistoryStore,
  type PlanningHistoryStoreOptions,
} from './planning-history/planning-history-store.ts';
export { type PastExecutionsOptions, readPastExecutions } from './planning-history/read-past-executions.ts';
export type {
  EndedRun,
  FileRunJournal,
  FinalSummaries,
  OpenRun,
  PausedRuns,
  RestingRuns,
  ResumedRun,
  RunState,
  RunStore,
} from './ports.ts';
export type { HistoryEntry } from './read-history.ts';
export { readLastLines } from './read-last-lines.ts';
export type { RecentRun } from './recent-run-line.ts';
export { type ControlVerb, createFileRunControls, type RunControls } from './run-controls.ts';
export { isUuid } from './run-directory.ts';
export type { DamagedRun, Json, JsonObject, NewRun, RunMetadata, UnfinishedRun } from './run-model.ts';
export { createFileRunReader, type RunOverview, type RunReader, type ShownRun } from './run-reader.ts';
export { toStorageError, toSystemCode } from './storage-error.ts';
export { type CleanUpOptions, cleanUpRuns } from './task-index/clean-up-runs.ts';
export {
  createExpiryFiles,
  type ExpiredDay,
  type ExpiringRun,
  type ExpiryFiles,
  toKeepDays,
} from './task-index/expiry-files.ts';
export { createFileTaskIndex, type FileTaskIndexOptions } from './task-index/file-task-index.ts';
export type { IndexedRun, TaskIndex, TaskReference } from './task-index/indexed-run.ts';
export { type PurgedTask, type PurgeOptions, purgeTask } from './task-index/purge-task.ts';
export { createRunIndexer, type IndexRun } from './task-index/run-indexer.ts';
export type { TaskIndexUpkeep } from './task-index/task-index-upkeep.ts';
export type { NewPause, PausedRun, TaskState } from './task-state.ts';
export type { ToolEntry } from './tool-line.ts';
