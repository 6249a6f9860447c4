import type { RunResult } from '@agent/runner';
import { noComments } from '../inbox/comment-summary.ts';
import type { RunInbox } from '../inbox/run-inbox.ts';
import { nothingDelivered } from './deliver.ts';
import { type RunOnDisk, readRunStatistics } from './read-run-statistics.ts';
import type { RunParts } from './run.ts';
import type { RunEnding } from './run-ending.ts';

export interface FailedWork {
  readonly parts: Pick<RunParts, 'redactOutgoing'>;
  readonly run: RunOnDisk;
  /** Null when it failed before anything was heard. */
  readonly ears: Pick<RunInbox, 'summarize' | 'guard'> | null;
  /** Where the conversation had come to an end before. */
  readonly result: RunResult | null;
}

/** Turns what went wrong around a run into its ending: the error's own message says what to do about it, and secrets that it repeats are taken out. */
export async function toFailedEnding(
  error: unknown,
  { parts, run, ears, result }: FailedWork,
): Promise<RunEnding> {
  run.logger.error({ err: error }, 'the run failed');
  const outcome = result?.kind === 'ended' ? result.outcome : null;
  return {
    outcome: {
      status: 'failed',
      reason: parts.redactOutgoing(error instanceof Error ? error.message : String(error)),
      finalText: outcome?.finalText ?? null,
      statistics: outcome?.statistics ?? (await readRunStatistics(run)),
    },
    delivery: nothingDelivered,
    hearing: ears?.summarize() ?? noComments,
    guard: ears?.guard ?? null,
  };
}
