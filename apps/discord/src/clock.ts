import type { ReplyTime } from '@agent/runner/reply';

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
