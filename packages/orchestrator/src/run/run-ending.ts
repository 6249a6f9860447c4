import type { RunOutcome } from '@agent/runner';
import type { CommentSummary } from '../inbox/comment-summary.ts';
import type { TextGuard } from '../inbox/create-text-guard.ts';
import type { Delivery } from './final-comment.ts';

/** How a run came to its end, and what it left on the platform. */
export interface RunEnding {
  readonly outcome: RunOutcome;
  readonly delivery: Delivery;
  /** What was said meanwhile. */
  readonly hearing: CommentSummary;
  /** What texts of people pass on their way to the model; null for a run that failed before it could hear any. */
  readonly guard: TextGuard | null;
}
