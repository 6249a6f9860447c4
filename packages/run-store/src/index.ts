export { ContextStoreError, type ContextStoreErrorCode } from './context-store-error.ts';
export type { ControlVerb, RunControls } from './controls/run-controls.ts';
export type { RecentRun } from './file/recent-run-line.ts';
export { isUuid } from './file/run-directory.ts';
export type { RunOverview, RunReader, ShownRun } from './file/run-reader.ts';
export { hashTaskKey } from './hash-task-key.ts';
export type { IndexedRun, TaskIndex, TaskReference } from './index/indexed-run.ts';
export { isFailedSummary } from './is-failed-summary.ts';
export type { HistoryEntry } from './journal/read-history.ts';
export type { ToolEntry } from './journal/tool-line.ts';
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
} from './planning/planning-entry.ts';
export {
  PlanningHistoryStore,
  type PlanningHistoryStoreOptions,
} from './planning/planning-history-store.ts';
export { type PastExecutionsOptions, readPastExecutions } from './planning/read-past-executions.ts';
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
export type { NewPause, PausedRun, TaskState } from './task-state.ts';
