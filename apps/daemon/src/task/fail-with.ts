import type { RunResult, RunStatistics } from '@agent/runner';
import type { RunEnding } from './conclude-run.ts';
import { nothingDelivered } from './deliver-changes.ts';
import type { ActiveRun } from './run-parts.ts';

/** Of a run that did nothing yet, or of which nothing is known. */
export const noStatistics: RunStatistics = {
  modelCalls: 0,
  toolCalls: 0,
  inputTokens: 0,
  outputTokens: 0,
  durationMs: 0,
};

/** Turns what went wrong around a run into its ending: the error's own message says what to do about it. */
export function failWith(
  error: unknown,
  { run, result }: { readonly run: ActiveRun; readonly result: RunResult | null },
): RunEnding {
  run.logger.error({ err: error }, 'the run failed');
  const outcome = result?.kind === 'ended' ? result.outcome : null;
  return {
    outcome: {
      status: 'failed',
      reason: error instanceof Error ? error.message : String(error),
      finalText: outcome?.finalText ?? null,
      statistics: outcome?.statistics ?? noStatistics,
    },
    delivery: nothingDelivered,
  };
}
