import { PlatformError } from '@agent/platforms';
import type { ObserveBoard } from '../board/board-event.ts';
import type { RunLogger } from '../host/ports.ts';
import { longestWaitMs, retryAfterMsOf, type Waiting } from '../intents/call-with-retry.ts';

export interface PatienceOptions extends Waiting {
  /** True for a process that ends instead of waiting. */
  readonly once: boolean;
  readonly observe: ObserveBoard;
  readonly logger: Pick<RunLogger, 'warn' | 'info'>;
  /** Called after the first failure, before the wait. */
  readonly onWaiting: () => Promise<void>;
}

const firstPauseMs = 5_000;
const part = 'platforms';

/**
 * Connects to the platforms as soon as they can be reached: after a server that does not answer or limits requests it tries
 * again, with pauses of five seconds to a minute, or as long as the server asks for. A mistake in the configuration and a
 * refused token are no reason to wait.
 */
export async function connectPatiently<Connected>(
  connect: () => Promise<Connected>,
  { once, observe, logger, onWaiting, sleep, shutdown }: PatienceOptions,
): Promise<Connected> {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestWaitMs)) {
    try {
      const connected = await connect();
      if (pauseMs > firstPauseMs) {
        observe({ type: 'condition', part, state: 'ok', reason: null });
        logger.info({}, 'platforms are available');
      }
      return connected;
    } catch (error) {
      if (once || shutdown.aborted || !isAway(error)) throw error;
      observe({ type: 'condition', part, state: 'waiting', reason: error.message });
      if (pauseMs === firstPauseMs) {
        logger.warn({ err: error }, 'waiting for platform');
        await onWaiting();
      }
      await sleep(Math.max(pauseMs, retryAfterMsOf(error)), shutdown);
      shutdown.throwIfAborted();
    }
  }
}

/** An address where something else answers does not become the right one by waiting. */
function isAway(error: unknown): error is PlatformError {
  if (!PlatformError.isInstance(error)) return false;
  return error.code === 'rate-limited' || (error.code === 'unavailable' && error.reason === null);
}
