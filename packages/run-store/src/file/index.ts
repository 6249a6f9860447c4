export { createFilePauseSignal, createFileRunControls } from '../controls/run-controls.ts';
export {
  createFileTaskIndex,
  type FileTaskIndexOptions,
  type TaskIndexUpkeep,
} from '../index/file-task-index.ts';
export type { IndexRun } from '../index/read-indexed-run.ts';
export { type AcquireOwnershipOptions, acquireOwnership } from '../ownership/acquire-ownership.ts';
export { createFileRunStore, type FileRunStoreOptions } from './file-run-store.ts';
export { createFileStorage, type FileStorageOptions } from './file-storage.ts';
export { createFileRunLines, createFileRunReader, type FileRunReaderOptions } from './run-reader.ts';
export type { SyncedWrite } from './taken-directory.ts';
