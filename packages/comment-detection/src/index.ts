export type {
  AddResult,
  ChangeKind,
  CheckResult,
  CommentChange,
  CommentChanges,
  DeliveryReceipt,
  EditedComment,
  InitializeResult,
} from './changes.ts';
export type { CommentDetectionErrorCode, CommentDetectionErrorOptions } from './comment-detection-error.ts';
export { CommentDetectionError } from './comment-detection-error.ts';
export { CommentDetectionManager, type ComposeRequest } from './comment-detection-manager.ts';
export type { CommentDetectionOptions, LogLevel } from './comment-detection-options.ts';
export type { CommentInboxOptions, GivenCommands, InboxDelivery } from './comment-inbox.ts';
export { type CommentInbox, createCommentInbox } from './comment-inbox.ts';
export type { ComposedDelivery } from './compose-delivery.ts';
export type { CommentDetectionConfig } from './config-schema.ts';
export { commentDetectionConfigSchema, toCommentDetectionOptions } from './config-schema.ts';
export type { DetectionStatistics } from './detection-memory.ts';
export type { CommentDetectionState } from './detection-state.ts';
export { formatChangesMessage } from './format-changes-message.ts';
export { formatCommentMessage } from './format-comment-message.ts';
export { isOutage } from './is-outage.ts';
export type { Authority, Comment, CommentAuthor, CommentListing } from './model.ts';
export type { CallOptions, CommentLookOptions, CommentSource, ContextSink, SinkMessage } from './ports.ts';
export type { BodyContext, CommentMessageOptions } from './shown-body.ts';
