export type { FailureAnswer, FailureListener } from '../comment-detection-error.ts';
export {
  type CommentPrepareStep,
  type CommentPrepareStepOptions,
  createCommentPrepareStep,
} from './comment-prepare-step.ts';
