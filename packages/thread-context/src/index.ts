export { commentHandlingConfigSchema, toConversationLimits } from './comment-handling-config.ts';
export type { ConversationContext, ConversationEntry, ConversationSummary } from './conversation.ts';
export type { OwnAccount, OwnAccountRule, OwnerRule, RoleRule } from './conversation-role.ts';
export { type ContextBuilder, createContextBuilder } from './create-context-builder.ts';
export type { ThreadNoun } from './first-message-texts.ts';
export {
  type FirstMessageOptions,
  findLatestRequest,
  formatFirstMessage,
  type KnownIssue,
  type LatestRequest,
  toMinimalContext,
} from './format-first-message.ts';
export { defaultMaxCommentCount } from './max-comment-count.ts';
export type { NormalizedComment } from './normalize.ts';
export type { AuthorInput, CallOptions, CommentInput, IssueInput, IssueReader } from './ports.ts';
export type { ChatTurn, ThreadMessage, ThreadReader } from './thread/ports.ts';
export { ThreadContextBuilder, type ThreadContextOptions } from './thread/thread-context-builder.ts';
export { TranscriptFormatter, toModelMessages } from './thread/transcript-formatter.ts';
export { ThreadContextError, type ThreadContextErrorCode } from './thread-context-error.ts';
export {
  type ConversationLimits,
  type ConversationOptions,
  type LegacyConversationEntry,
  toConversationContext,
  toLegacyConversation,
} from './to-conversation-context.ts';
