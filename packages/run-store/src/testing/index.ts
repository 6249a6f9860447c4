export type {
  RecordDamageFixture,
  RunStoreContractOptions,
  RunStoreFixture,
  RunStoreTest,
  StoreProcess,
} from './contract/contract.ts';
export { runStorageContract } from './contract/run-storage-contract.ts';
export { recordDamageContract, runStoreContract } from './contract/run-store-contract.ts';
export type { RunStorageFixture } from './contract/watch-cases.ts';
export { type EarlierRun, writeEarlierRun } from './earlier-run.ts';
export { indexedRun, openHouse, task } from './index-setup.ts';
export { createMemoryRunState } from './memory/memory-driver.ts';
export { createMemoryPlace, type MemoryPlace } from './memory/memory-place.ts';
export {
  createMemoryRunLines,
  createMemoryRunReader,
  createMemoryTaskIndex,
} from './memory/memory-run-reader.ts';
export { createMemoryRunStore, type MemoryRunStoreOptions } from './memory/memory-run-store.ts';
export { createMemoryStorage, type MemoryStorageOptions } from './memory/memory-storage.ts';
export { makeDirectory, newRun, openRunState, parseMessage } from './store-setup.ts';
