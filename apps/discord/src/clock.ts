/** Time as the bot sees it, so that a test need not wait. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Does something once, that many milliseconds from now. Gives what calls it off. */
  readonly after: (delayMs: number, act: () => void) => () => void;
}

/** The time of this machine. A timer alone does not keep the process alive. */
export const systemClock: Clock = {
  now: Date.now,
  after: (delayMs, act) => {
    const timer = setTimeout(act, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

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

interface TimeLimitOptions {
  readonly limitMs: number;
  /** Aborts it earlier, with its own reason. */
  readonly signal: AbortSignal;
  /** Reason of the abort when the time is over. */
  readonly reason: () => Error;
}

interface TimeLimit {
  readonly signal: AbortSignal;
  /** Forgets the timer. */
  readonly end: () => void;
}

/** A signal for something that has to be over in time. */
export function limitTime(clock: Clock, { limitMs, signal, reason }: TimeLimitOptions): TimeLimit {
  const controller = new AbortController();
  const end = clock.after(limitMs, () => controller.abort(reason()));
  return { signal: AbortSignal.any([signal, controller.signal]), end };
}

/** The same promise, given up as soon as the signal aborts, for work that may not heed it. @throws the signal's reason */
export function orAbort<Result>(promise: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(signal.reason);
    signal.addEventListener('abort', giveUp, { once: true });
    if (signal.aborted) giveUp();
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}
