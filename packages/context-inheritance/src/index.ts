export { type AcquireLockOptions, acquireLock, type Lock } from './acquire-lock.ts';
export { ContextStoreError, type ContextStoreErrorCode } from './context-store-error.ts';
export { type FileRunJournalOptions, openFileRunJournal, type SyncedWrite } from './file-run-journal.ts';
export { createFileRunStore, type FileRunStoreOptions } from './file-run-store.ts';
export {
  appendFinalSummary,
  type FinalSummaryState,
  type NewFinalSummary,
  readFinalSummaryState,
} from './final-summary-file.ts';
export { hashTaskKey } from './hash-task-key.ts';
export { contextInheritanceConfigSchema } from './inheritance/config-schema.ts';
export { ContextInheritanceManager } from './inheritance/context-inheritance-manager.ts';
export type { ContextInheritanceOptions } from './inheritance/context-inheritance-options.ts';
// biome-ignore format: a list of names
export type { JournalEntry, JournalEvent, MessageEntry, MessageEvent, MessageLike, RunEnd, RunSummary } from './journal-model.ts';
export { clearPauseSignal, isPauseSignalled, setPauseSignal } from './pause-signal.ts';
export type { FileRunJournal, Logger, OpenRun, PausedRuns, ResumedRun, RunStore } from './ports.ts';
export type { HistoryEntry } from './read-history.ts';
export type { RecentRun } from './recent-run-line.ts';
export { type ControlVerb, createFileRunControls, type RunControls } from './run-controls.ts';
export type { DamagedRun, Json, JsonObject, NewRun, RunMetadata, UnfinishedRun } from './run-model.ts';
export { createFileRunReader, type RunOverview, type RunReader, type ShownRun } from './run-reader.ts';
export type { NewPause, PausedRun, TaskState } from './task-state.ts';
export type { ToolEntry } from './tool-line.ts';
