import type { RunOutcome } from '@agent/runner';
import type { CommentSummary } from '../inbox/comment-summary.ts';
import type { TextGuard } from '../inbox/create-text-guard.ts';
import type { Delivery } from './final-comment.ts';

/** How a run came to its end, and what it left on the platform. */
export interface RunEnding extends ReportedEnding {
  /** What texts of people pass on their way to the model; null for a run that failed before it could hear any. */
  readonly guard: TextGuard | null;
}

/** An ending, as far as people are told of it. */
export interface ReportedEnding {
  readonly outcome: RunOutcome;
  readonly delivery: Delivery;
  /** What was said meanwhile. */
  readonly hearing: CommentSummary;
  /** Whether the run was told to stop by taking the agent's assignment away. */
  readonly unassigned: boolean;
}
