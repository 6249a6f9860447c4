// biome-ignore-all assist/source/organizeImports: merged, these lists would run down the page name by name
export type { LookPace } from './decide-interval.ts';
export { createDoorbell, type Doorbell, type Ring } from './doorbell.ts';
export { fromRepositoryPoll, type PolledCommentSource } from './from-repository-poll.ts';
export type { Mailbox } from './mailbox.ts';
export { createRepositoryFeed, type RepositoryFeed, type RepositoryFeedOptions } from './repository-feed.ts';
export { createRequestBudget, type Looker } from './request-budget.ts';
export type { RequestBudget, RequestBudgetOptions } from './request-budget.ts';
export type { RequestKind, RequestLimits } from './request-limits.ts';
export { toThreadName } from './thread-name.ts';
export { type DoorbellCommentSource, type DoorbellOptions, withDoorbell } from './with-doorbell.ts';
export { type BudgetedCommentSource, withRequestBudget } from './with-request-budget.ts';
export type { WithRequestBudgetOptions } from './with-request-budget.ts';
export { type CommentSources, type HeardSource, createCommentSources } from './create-comment-sources.ts';
