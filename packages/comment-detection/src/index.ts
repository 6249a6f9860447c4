export { type CommentMessageOptions, formatCommentMessage } from './format-comment-message.ts';
export type { Comment, CommentAuthor, CommentListing, DeliveryReceipt } from './model.ts';
export type { CallOptions, CommentSource, ContextSink, SinkMessage } from './ports.ts';
