export { migrateRuns } from './migrate-runs.ts';
export type { MigratedRun, MigratedTask, MigrateOptions } from './migration-model.ts';
