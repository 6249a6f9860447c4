import { type RunResult, readStatistics } from '@agent/runner';
import { nothingDelivered } from './deliver-changes.ts';
import type { RunEnding } from './run-ending.ts';
import type { ActiveRun } from './run-parts.ts';

/** Turns what went wrong around a run into its ending: the error's own message says what to do about it. */
export async function failWith(
  error: unknown,
  { run, result }: { readonly run: ActiveRun; readonly result: RunResult | null },
): Promise<RunEnding> {
  run.logger.error({ err: error }, 'the run failed');
  const outcome = result?.kind === 'ended' ? result.outcome : null;
  return {
    outcome: {
      status: 'failed',
      reason: error instanceof Error ? error.message : String(error),
      finalText: outcome?.finalText ?? null,
      statistics: outcome?.statistics ?? (await readStatistics(run.journal)),
    },
    delivery: nothingDelivered,
  };
}
