export type {
  AddResult,
  ChangeKind,
  CheckResult,
  CommentChange,
  CommentChanges,
  ContextSink,
  DeliveryReceipt,
  DeliveryRequest,
  EditedComment,
  InboxDelivery,
  InitializeResult,
  SinkMessage,
  TakenDelivery,
} from './changes.ts';
export { hashBody } from './changes.ts';
export {
  type AuthorityOptions,
  type CommentAuthor,
  type CommentPlace,
  type CommentSource,
  compareComments,
  type SourceComment,
  type SourcePollOptions,
} from './comment.ts';
export {
  CommentDetectionError,
  type CommentDetectionErrorCode,
  type CommentDetectionErrorOptions,
  isOutage,
} from './comment-detection-error.ts';
export { CommentDetectionManager, type ComposeRequest } from './comment-detection-manager.ts';
export type { CommentDetectionOptions, LogLevel } from './comment-detection-options.ts';
export type { CommentInboxOptions, GivenCommands } from './comment-inbox.ts';
export { type CommentInbox, createCommentInbox } from './comment-inbox.ts';
export {
  commentSubjectSchema,
  parseSubjectJson,
  toSubjectJson,
} from './comment-subject.ts';
export type { ComposedDelivery, DeliveryFit, FitDelivery, FittedChange } from './compose-delivery.ts';
export type { CommentDetectionConfig } from './config-schema.ts';
export { commentDetectionConfigSchema, toCommentDetectionOptions } from './config-schema.ts';
export type { DetectionStatistics } from './detection-memory.ts';
export type { CommentDetectionState } from './detection-state.ts';
export {
  type BodyContext,
  type CommentMessageOptions,
  formatChangesMessage,
  formatCommentMessage,
} from './format-changes-message.ts';
export { type HeardEvent, isObservedPoll, type Observation, type ObservedPoll } from './observation.ts';
