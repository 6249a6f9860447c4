export type { OwnEnd, OwnRun, OwnTask, RunStanding } from './own-run.ts';
export { type OwnRuns, type OwnRunsOptions, openRuns, type TakenRun } from './own-runs.ts';
