export type { FailureAnswer, FailureListener } from '../heed-failure.ts';
export {
  type CommentPrepareStep,
  type CommentPrepareStepOptions,
  createCommentPrepareStep,
} from './comment-prepare-step.ts';
