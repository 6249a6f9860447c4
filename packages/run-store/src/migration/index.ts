export { type MigratedRun, type MigratedTask, type MigrateOptions, migrateRuns } from './migrate-runs.ts';
