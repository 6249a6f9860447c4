export { type Checkpoint, resumeFrom, takeCheckpoint } from '../checkpoint.ts';
export type { FailureAnswer, FailureListener } from '../comment-detection-error.ts';
export { type CommentPrepareStep, createCommentPrepareStep } from '../prepare-step/comment-prepare-step.ts';
export { type HeardResult, toConversation } from './to-conversation.ts';
export { type WithCommentsOptions, withComments } from './with-comments.ts';
