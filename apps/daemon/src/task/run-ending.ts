import type { DetectionStatistics } from '@agent/comment-detection';
import type { RunOutcome } from '@agent/runner';
import type { HeardComment } from '../comments/heard-comment.ts';
import type { Delivery } from './final-comment.ts';

/** How a run came to its end, and what it left on the platform. */
export interface RunEnding {
  readonly outcome: RunOutcome;
  readonly delivery: Delivery;
  /** Comments that came meanwhile, and what became of them. */
  readonly heard: readonly HeardComment[];
  /** How hearing them went; null where nothing was listened to. */
  readonly detection: DetectionStatistics | null;
}
