import { isTransient, retryAfterMsOf } from './is-passing.ts';
import type { ActiveRun, RunParts } from './run.ts';

/** `done`; `rejected` for good, so that trying again is useless; or `deferred`, when it could not be asked now. */
export type CallOutcome = 'done' | 'rejected' | 'deferred';

const longestWaitMs = 60_000;
const waitsMs = [1_000, 2_000, 4_000, 8_000];

/** Carries out one safe-to-repeat call, waiting out what passes: limits, and a platform that does not answer. */
export async function callWithRetry(
  parts: RunParts,
  run: ActiveRun,
  call: { readonly doing: string; readonly attempt: () => Promise<unknown> },
): Promise<CallOutcome> {
  for (const waitMs of [...waitsMs, null]) {
    try {
      await call.attempt();
      return 'done';
    } catch (error) {
      run.logger.error({ err: error, doing: call.doing }, 'the platform did not take a call');
      if (!isTransient(error)) return 'rejected';
      const retryAfterMs = retryAfterMsOf(error);
      if (waitMs === null || retryAfterMs > longestWaitMs || parts.shutdown.aborted) return 'deferred';
      await parts.sleep(Math.max(waitMs, retryAfterMs), parts.shutdown);
    }
  }
  return 'deferred';
}
