import type { DetectionStatistics } from '@agent/comment-detection';
import type { DeliveredComment } from './delivered-comment.ts';

/** What a run heard, for its end. */
export interface CommentSummary {
  /** Every comment that came while the run was under way, and whether the model was told of it. */
  readonly comments: readonly DeliveredComment[];
  /** Null where nothing was listened to. */
  readonly statistics: DetectionStatistics | null;
  /** Up to when the thread was read (ISO 8601), where the look before the end could not be made; else null. */
  readonly readUntil: string | null;
}

/** Of a run that ended before it listened. */
export const noComments: CommentSummary = { comments: [], statistics: null, readUntil: null };
