export { commentHandlingConfigSchema, toConversationLimits } from './comment-handling-config.ts';
export type { ConversationContext, ConversationEntry, ConversationSummary } from './conversation.ts';
export type { OwnAccount, OwnAccountRule, OwnerRule, RoleRule } from './conversation-role.ts';
export { type ContextBuilder, createContextBuilder } from './create-context-builder.ts';
export { findLatestRequest, type LatestRequest } from './find-latest-request.ts';
export type { ThreadNoun } from './first-message-texts.ts';
export { type FirstMessageOptions, formatFirstMessage } from './format-first-message.ts';
export { defaultMaxCommentCount } from './max-comment-count.ts';
export type { NormalizedComment } from './normalize.ts';
export type { AuthorInput, CallOptions, CommentInput, IssueInput, IssueReader } from './ports.ts';
export type { ChatTurn, ThreadMessage, ThreadReader } from './thread/ports.ts';
export { ThreadContextBuilder, type ThreadContextOptions } from './thread/thread-context-builder.ts';
export { toModelMessages } from './thread/to-model-messages.ts';
export { TranscriptFormatter } from './thread/transcript-formatter.ts';
export { ThreadContextError, type ThreadContextErrorCode } from './thread-context-error.ts';
export {
  type ConversationLimits,
  type ConversationOptions,
  toConversationContext,
} from './to-conversation-context.ts';
export { type LegacyConversationEntry, toLegacyConversation } from './to-legacy-conversation.ts';
export { type KnownIssue, toMinimalContext } from './to-minimal-context.ts';
