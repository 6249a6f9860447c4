import { waitOutLimit } from '../http/wait-out-limit.ts';
import { PlatformError } from '../platform-error.ts';
import { GitLabHttpError } from './gitlab-http-error.ts';
import type { GitLabSettings } from './gitlab-options.ts';
import { gitLabService } from './gitlab-service.ts';

/** How patient a call is. */
export interface Patience {
  readonly settings: GitLabSettings;
  /** Further attempts after a failure; 0 for writes, which may have had their effect. */
  readonly retries: number;
  readonly maxWaitMs: number;
  readonly signal: AbortSignal | undefined;
}

/** Repeats a request after a limit, which had no effect whatever it asked for, and after failures where it may. */
export async function sendPatiently<Answer>(
  exchange: () => Promise<Answer>,
  { settings, retries, maxWaitMs, signal }: Patience,
): Promise<Answer> {
  let waits = 0;
  let failures = 0;
  for (;;) {
    try {
      return await exchange();
    } catch (error) {
      signal?.throwIfAborted();
      const waitMs = findWait(error, settings);
      if (waitMs !== null) {
        if (!(await waitOutLimit({ waitMs, maxWaitMs, waits, signal }, settings))) throw error;
        waits += 1;
      } else {
        if (failures >= retries || !isPassing(error)) throw error;
        failures += 1;
        await settings.sleep(settings.retryDelayMs * failures ** 2, signal);
      }
    }
  }
}

function findWait(error: unknown, { now }: GitLabSettings): number | null {
  if (!(error instanceof GitLabHttpError)) return null;
  const { status, message, response } = error;
  return (
    gitLabService.findRateLimit({ status, message, headers: response.headers }, now())?.retryAfterMs ?? null
  );
}

/** What may be over at the next attempt: 5xx, a broken connection, a timeout. */
function isPassing(error: unknown): boolean {
  if (PlatformError.isInstance(error)) return false;
  return !(error instanceof GitLabHttpError) || error.status >= 500;
}
