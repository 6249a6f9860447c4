export { createMemorySharedAnswers, type SharedAnswers } from '../http/shared-answers.ts';
export { toThreadName } from '../task-key.ts';
export { type CheckSource, type CheckSourceOptions, createCheckSource } from './check-source.ts';
export { createDoorbell, type Doorbell, type Ring } from './doorbell.ts';
export { type JoinSourcesOptions, joinSources, type SourcePart } from './join-sources.ts';
export { createRepositoryFeeds, type RepositoryFeeds } from './repository-feed.ts';
export {
  createRequestBudget,
  type RequestBudget,
  type RequestBudgetOptions,
  type RequestsLeft,
} from './request-budget.ts';
export type { PollPace, RequestKind, RequestLimits, RunHold } from './request-limits.ts';
export {
  createMemorySharedUse,
  openUseExchange,
  type SharedCredentials,
  type SharedUse,
} from './shared-use.ts';
export {
  openThreadSource,
  type SourceThread,
  type ThreadSource,
  type ThreadSourceOptions,
} from './thread-source.ts';
