export { ContextStoreError, type ContextStoreErrorCode } from './context-store-error.ts';
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
export type { RecentRun } from './recent-run-line.ts';
export type { ControlVerb, RunControls } from './run-controls.ts';
export { isUuid } from './run-directory.ts';
export type {
  DamagedRun,
  FinalSummaryState,
  Json,
  JsonObject,
  NewFinalSummary,
  NewRun,
  RunMetadata,
  UnfinishedRun,
} from './run-model.ts';
export type { RunOverview, RunReader, ShownRun } from './run-reader.ts';
export type { IndexedRun, TaskIndex, TaskReference } from './task-index/indexed-run.ts';
export type { NewPause, PausedRun, TaskState } from './task-state.ts';
export type { ToolEntry } from './tool-line.ts';
