export { toThreadName } from '../task-key.ts';
export { createDoorbell, type Doorbell, type Ring } from './doorbell.ts';
export type { Mailbox, RepositoryFeed, RepositoryFeedOptions, RepositoryFeeds } from './repository-feed.ts';
export {
  createRepositoryFeed,
  createRepositoryFeeds,
  fromRepositoryPoll,
  type PolledCommentSource,
} from './repository-feed.ts';
export type { RequestBudget, RequestBudgetOptions, WithRequestBudgetOptions } from './request-budget.ts';
export {
  type BudgetedCommentSource,
  createRequestBudget,
  type Poller,
  withRequestBudget,
} from './request-budget.ts';
export type { PollPace, RequestKind, RequestLimits } from './request-limits.ts';
export {
  type DoorbellCommentSource,
  type DoorbellOptions,
  openThreadSource,
  type ThreadSource,
  type ThreadSourceOptions,
  withDoorbell,
} from './thread-source.ts';
