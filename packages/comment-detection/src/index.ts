// biome-ignore-all assist/source/organizeImports: merged, these lists would run down the page name by name
export type { ChangeKind, CommentChange, CommentChanges, DeliveryReceipt, EditedComment } from './changes.ts';
export type { AddResult, CheckResult, ComposeRequest } from './check-result.ts';
export { CommentDetectionManager } from './comment-detection-manager.ts';
export type { CommentDetectionOptions, LogLevel } from './comment-detection-options.ts';
export { type CommentInbox, createCommentInbox } from './comment-inbox.ts';
export type { CommentInboxOptions, InboxDelivery } from './comment-inbox.ts';
export type { ComposedDelivery } from './compose-delivery.ts';
export { commentDetectionConfigSchema, toCommentDetectionOptions } from './config-schema.ts';
export type { CommentDetectionConfig } from './config-schema.ts';
export type { DetectionStatistics } from './detection-memory.ts';
export type { CommentDetectionState } from './detection-state.ts';
export type { Locale } from './detection-texts.ts';
export { formatChangesMessage } from './format-changes-message.ts';
export { formatCommentMessage } from './format-comment-message.ts';
export type { BodyContext, CommentMessageOptions } from './message-options.ts';
export type { Authority, Comment, CommentAuthor, CommentListing } from './model.ts';
export type { CallOptions, CommentLookOptions, CommentSource } from './ports.ts';
export type { ContextSink, Logger, SinkMessage } from './ports.ts';
