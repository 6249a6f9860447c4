export {
  type ConversationLimits,
  commentHandlingConfigSchema,
  defaultMaxCommentCount,
  toConversationLimits,
} from './comment-handling-config.ts';
export type {
  ConversationContext,
  ConversationEntry,
  ConversationSummary,
  OwnAccount,
  OwnAccountRule,
  OwnerRule,
  RoleRule,
} from './conversation.ts';
export type { ThreadNoun } from './first-message-texts.en.ts';
export {
  type CountedComments,
  type FitCommentsOptions,
  type FittedComments,
  fitComments,
  type ListedComment,
  type OlderComments,
  type ShownComment,
  toFirstLine,
} from './fit-comments.ts';
export {
  type ComposedFirstMessage,
  composeFirstMessage,
  formatFirstMessage,
} from './format-first-message.ts';
export type { FirstMessageOptions, ThreadBudget } from './format-thread.ts';
export {
  findLatestRequest,
  type KnownIssue,
  type LatestRequest,
  toMinimalContext,
} from './latest-request.ts';
export type {
  AuthorInput,
  CommentInput,
  IssueInput,
  IssueReader,
  NormalizedComment,
} from './normalize.ts';
export { ThreadContextError, type ThreadContextErrorCode } from './normalize.ts';
export { ThreadContextBuilder, type ThreadContextOptions } from './thread/thread-context-builder.ts';
export { stripMention, type ThreadMessage, type ThreadReader } from './thread/to-turns.ts';
export { type ChatTurn, TranscriptFormatter, toModelMessages } from './thread/transcript-formatter.ts';
export {
  type ContextBuilder,
  type ConversationOptions,
  createContextBuilder,
  type LegacyConversationEntry,
  toConversationContext,
  toLegacyConversation,
} from './to-conversation-context.ts';
