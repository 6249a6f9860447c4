export { type CheckedRun, checkRuns } from './check-runs.ts';
export { type CopiedRuns, type CopyRunsOptions, copyRuns } from './copy-runs.ts';
export { type MigratedRun, type MigratedTask, type MigrateOptions, migrateRuns } from './migrate-runs.ts';
