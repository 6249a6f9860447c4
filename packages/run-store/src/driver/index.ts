export type {
  DriverStateOptions,
  ListedRun,
  ListedRuns,
  NewRecord,
  RunDriver,
  RunHandle,
  TakenRun,
} from '../driver.ts';
export { addRuns, toFirstKeptDay } from '../index/indexed-run.ts';
export { toRecentRun } from '../index/recent-runs.ts';
export type { NewFact } from '../journal/journal-writer.ts';
export { formatFact, sealLine } from '../lines/record-line.ts';
export { damageFact, toCutDamage } from '../record/damage.ts';
export { type BrokenLine, findFactName } from '../record/read-record.ts';
export type { RecordWriter } from '../record/record-writer.ts';
export { type KnownFacts, listedFacts } from '../record/run-facts.ts';
export { createRecordSource, type RecordSource, toRunFacts } from '../record/run-record.ts';
export type { RunPlace } from '../run-model.ts';
export {
  createRunLines,
  createRunReader,
  describeEndedRun,
  type FoundRun,
  type ReadableRun,
  type RunSource,
} from '../store/create-run-reader.ts';
export { createRunStore, type RunStoreOptions } from '../store/create-run-store.ts';
export { createState, type NewValue } from '../store/create-state.ts';
export { requireAlone, toListedRun } from '../store/list-runs.ts';
