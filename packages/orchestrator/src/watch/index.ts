export { listPictureFaults } from '../pictures/list-picture-faults.ts';
export { readRunCosts, toThreadMoneyJson } from '../spending/budgets.ts';
export {
  listSharedBudgets,
  readDayBudget,
  type SharedBudget,
  toSharedBudgetJson,
} from '../spending/shared-budgets.ts';
export { type AuditEntry, type AuditLog, createAuditLog, listAuditFaults } from '../state/audit-log.ts';
export type { Condition } from '../state/condition.ts';
export type { RunState } from '../state/run-state.ts';
export type { AssumptionView } from './assumptions.ts';
export type { CommentPassage } from './comment-passages.ts';
export {
  createRunsWatch,
  type HealthReader,
  type RunActions,
  type RunsReader,
  type RunsWatch,
  type RunsWatchOptions,
} from './create-runs-watch.ts';
export type { PageChange } from './follow-runs.ts';
export type { HeldItemView } from './held-items.ts';
export { createKeepFresh, type KeepFreshOptions } from './keep-fresh.ts';
export {
  createLoginTokens,
  createStatusTokens,
  type KeptToken,
  type LoginTokens,
  type TokenHolders,
} from './login-tokens.ts';
export type { PlanView } from './plan-view.ts';
export type { BoardRow, BoardView } from './read-board.ts';
export { type BudgetView, listRequestBudgets } from './read-budgets.ts';
export type { HealthView, ProblemView } from './read-health.ts';
export type { RawLines } from './read-lines.ts';
export type { RunView } from './read-run.ts';
export type { LineageEntry, ThreadView } from './read-thread.ts';
export type { ActAnswer, ActRequest, RunControl } from './run-actions.ts';
export type { PageChanges } from './run-changes.ts';
export type { CostPoint, TimelinePart } from './run-digest.ts';
export type { BoardQuery } from './run-projection.ts';
export { isFailedCall, type TimelineEntry } from './timeline-entry.ts';
export type { FailedStep, TimelineFilter } from './timeline-filter.ts';
