export type { PlanningEntry, PlanningEntryOf, PlanningEvent, PlanningPlace } from './planning-entry.ts';
export { PlanningHistoryStore, type PlanningHistoryStoreOptions } from './planning-history-store.ts';
export { type PastExecutionsOptions, readPastExecutions } from './read-past-executions.ts';
