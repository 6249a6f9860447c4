export type { FailureAnswer, FailureListener } from '../heed-failure.ts';
export { type CommentPrepareStep, createCommentPrepareStep } from '../prepare-step/comment-prepare-step.ts';
export { type HeardResult, toConversation } from './to-conversation.ts';
export { type WithCommentsOptions, withComments } from './with-comments.ts';
