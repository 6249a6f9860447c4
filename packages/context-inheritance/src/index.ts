export { type AcquireLockOptions, acquireLock, type Lock } from './acquire-lock.ts';
export { ContextStoreError, type ContextStoreErrorCode } from './context-store-error.ts';
export { type FileRunJournalOptions, openFileRunJournal, type SyncedWrite } from './file-run-journal.ts';
export { createFileRunStore, type FileRunStoreOptions } from './file-run-store.ts';
export { hashTaskKey } from './hash-task-key.ts';
export type {
  JournalEntry,
  JournalEvent,
  MessageEntry,
  MessageEvent,
  MessageLike,
  RunEnd,
  RunSummary,
} from './journal-model.ts';
export type { FileRunJournal, Logger, OpenRun, RunStore } from './ports.ts';
export type { DamagedRun, Json, JsonObject, NewRun, RunMetadata, UnfinishedRun } from './run-model.ts';
