import type { RunOutcome } from '@agent/runner';
import type { HearingSummary } from '../comments/hearing-summary.ts';
import type { Delivery } from './final-comment.ts';

/** How a run came to its end, and what it left on the platform. */
export interface RunEnding {
  readonly outcome: RunOutcome;
  readonly delivery: Delivery;
  /** What was said meanwhile. */
  readonly hearing: HearingSummary;
}
