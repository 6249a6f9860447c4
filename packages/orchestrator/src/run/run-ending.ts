import type { RunOutcome } from '@agent/runner';
import type { TextGuard } from '../inbox/create-text-guard.ts';
import type { HearingSummary } from '../inbox/hearing-summary.ts';
import type { Delivery } from './final-comment.ts';

/** How a run came to its end, and what it left on the platform. */
export interface RunEnding {
  readonly outcome: RunOutcome;
  readonly delivery: Delivery;
  /** What was said meanwhile. */
  readonly hearing: HearingSummary;
  /** What texts of people pass on their way to the model; null for a run that failed before it could hear any. */
  readonly guard: TextGuard | null;
}
