import type { ReplyTime } from '@agent/runner/reply';
import { BotError } from './bot-error.ts';

/** Time as the bot sees it, so that a test need not wait. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Does something once, that many milliseconds from now. Gives what calls it off. */
  readonly after: (delayMs: number, act: () => void) => () => void;
}

/** The time of this machine. A timer alone does not keep the process alive. */
export const systemClock: Clock = createSystemClock((timer) => timer.unref());

/** The same with timers that keep the process alive: before the bot is connected, nothing else does. */
export const wakefulClock: Clock = createSystemClock(() => {});

function createSystemClock(release: (timer: NodeJS.Timeout) => void): Clock {
  return {
    now: Date.now,
    after: (delayMs, act) => {
      const timer = setTimeout(act, delayMs);
      release(timer);
      return () => clearTimeout(timer);
    },
  };
}

/** Resolves after a while, at once when there is none, or as soon as the signal aborts. */
export function sleep(clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted || delayMs <= 0) return Promise.resolve();
  return new Promise((resolve) => {
    const wake = (): void => {
      cancel();
      signal.removeEventListener('abort', wake);
      resolve();
    };
    const cancel = clock.after(delayMs, wake);
    signal.addEventListener('abort', wake);
  });
}

/** Waits as the model's client asks for it: rejects when the signal aborts. */
export function toSleep(clock: Clock): NonNullable<ReplyTime['sleep']> {
  return async (delayMs, { signal = new AbortController().signal }) => {
    await sleep(clock, delayMs, signal);
    signal.throwIfAborted();
  };
}

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

/** A limit on how many things happen at once; who comes first is served first. */
export interface Semaphore {
  /**
   * Waits for a free slot. Gives what frees it again.
   *
   * @throws the signal's reason when it aborts first
   */
  readonly acquire: (signal: AbortSignal) => Promise<() => void>;
}

export function createSemaphore(limit: number): Semaphore {
  let free = limit;
  const waiting = new Set<() => void>();
  const hold = (): (() => void) => {
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const [next] = waiting;
      if (next === undefined) free += 1;
      else next();
    };
  };
  return {
    acquire: async (signal) => {
      signal.throwIfAborted();
      if (free > 0) free -= 1;
      else {
        await new Promise<void>((resolve, reject) => {
          const giveUp = (): void => leave(() => reject(signal.reason));
          const enter = (): void => leave(resolve);
          const leave = (settle: () => void): void => {
            waiting.delete(enter);
            signal.removeEventListener('abort', giveUp);
            settle();
          };
          waiting.add(enter);
          signal.addEventListener('abort', giveUp);
        });
      }
      return hold();
    },
  };
}
