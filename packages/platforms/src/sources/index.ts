export { fromRepositoryPoll, type PolledCommentSource } from './from-repository-poll.ts';
export type { Mailbox } from './mailbox.ts';
export { createRepositoryFeed, type RepositoryFeed, type RepositoryFeedOptions } from './repository-feed.ts';
export { toThreadName } from './thread-name.ts';
