export { ContextStoreError, type ContextStoreErrorCode } from './context-store-error.ts';
export type { ControlVerb, Pause, PauseSignal, RunControls } from './controls/run-controls.ts';
export { checkDisk, type DiskCheckOptions, findExistingDirectory } from './disk/check-disk.ts';
export type { LineBounds } from './disk/lines.ts';
export type { IndexedRun, TaskIndex } from './index/indexed-run.ts';
export type { PurgedTask } from './index/purge-task.ts';
export type { RecentRun } from './index/recent-runs.ts';
export type { HistoryEntry } from './journal/read-journal.ts';
export type {
  FactEntry,
  FactEvent,
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
} from './lines/planning-line.ts';
export type { NewPause, PausedRun, TaskState } from './lines/task-state.ts';
export type { ToolEntry } from './lines/tool-line.ts';
export { toUsageJson } from './lines/usage-json.ts';
export { requireNotMoved } from './moved-note.ts';
export { type IndexStatus, type Outcome, outcomes, toIndexStatus } from './outcome.ts';
export { PlanningHistoryStore, type PlanningHistoryStoreOptions } from './planning/planning-history-store.ts';
export type {
  EndedRun,
  FinalSummaries,
  IntentResult,
  NewIntent,
  OpenRun,
  Outbox,
  OutboxEntry,
  Ownership,
  PausedRuns,
  RecordDamage,
  RecordOwner,
  RecordPosition,
  RestingRuns,
  ResumedRun,
  RunJournal,
  RunState,
  RunStore,
  WholeRunStore,
} from './ports.ts';
export type {
  DamagedRun,
  FinalSummaryState,
  InterruptedRun,
  Json,
  JsonObject,
  NewFinalSummary,
  NewRun,
  RunMetadata,
} from './run-model.ts';
export type { LineKind, RunLines, RunOverview, RunReader, ShownRun } from './run-reader.ts';
export type {
  AcquireOptions,
  KeptSnapshot,
  Leadership,
  LeadOptions,
  OpenStoreOptions,
  RunStorage,
  SignalListener,
  StorageAnswers,
  StorageCondition,
  StorageHealth,
  StorageIndex,
  StorageMember,
  StorageMembers,
  StorageNotes,
  StorageSharing,
  StorageSignals,
  StorageSnapshots,
  StorageUpkeep,
  StorageUse,
} from './storage.ts';
export { hashTaskKey } from './storage-names.ts';
export type { RecordMark, RunHead, RunStamp, RunStamps, StorageWatch } from './storage-watch.ts';
export type {
  EntryRules,
  KeyedEntry,
  QueueLimits,
  QueueWorkOptions,
  TaskQueue,
  TaskQueueOptions,
  WorkOnEntry,
  WorkResult,
} from './task-queue.ts';
