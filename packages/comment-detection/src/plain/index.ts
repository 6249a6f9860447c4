export { type Checkpoint, resumeFrom } from '../checkpoint.ts';
export type { FailureAnswer, FailureListener } from '../comment-detection-error.ts';
export {
  type GenerateWithCommentsOptions,
  generateWithComments,
  type HeardGeneration,
  type PlainCall,
  type PlainResult,
} from './generate-with-comments.ts';
