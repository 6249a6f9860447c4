import { BotError } from './bot-error.ts';
import { type Clock, sleep } from './clock.ts';

/** First pause; each one is twice as long as the one before, up to the longest. */
const firstPauseMs = 1_000;
const longestPauseMs = 60_000;
/** Time after which an answer is no longer tried; the next look through the thread finds its question open. */
const limitMs = 15 * 60_000;

export interface RetryOptions {
  readonly clock: Clock;
  /** Ends the pauses, and with them the attempts. */
  readonly signal: AbortSignal;
  /** Hears of each failure that is followed by another attempt. */
  readonly onRetry?: ((error: unknown, pauseMs: number) => void) | undefined;
}

/** Tells whether Discord could not do something just now: a closed connection, a 5xx, a time limit. */
export function isTransient(error: unknown): boolean {
  return BotError.isInstance(error) && error.code === 'discord-temporary';
}

/**
 * Does something at Discord, and does it again after growing pauses for as long as Discord cannot, up to 15 minutes. The library has
 * waited for rate limits by then. What is repeated has to be the same each time: Discord may have done it and only failed to say so.
 *
 * @throws the last error; the signal's reason when it aborts in a pause
 */
export async function retryTransient<Result>(
  act: () => Promise<Result>,
  { clock, signal, onRetry }: RetryOptions,
): Promise<Result> {
  const endsAt = clock.now() + limitMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    try {
      return await act();
    } catch (error) {
      if (!isTransient(error) || clock.now() + pauseMs > endsAt) throw error;
      onRetry?.(error, pauseMs);
    }
    await sleep(clock, pauseMs, signal);
    signal.throwIfAborted();
  }
}
