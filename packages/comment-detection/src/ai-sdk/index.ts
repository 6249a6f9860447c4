export { type CommentPrepareStep, createCommentPrepareStep } from './comment-prepare-step.ts';
export { type WithCommentsOptions, withComments } from './with-comments.ts';
