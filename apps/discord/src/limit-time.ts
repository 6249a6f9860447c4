import type { Clock } from './clock.ts';

export interface TimeLimitOptions {
  readonly limitMs: number;
  /** Aborts it earlier, with its own reason. */
  readonly signal: AbortSignal;
  /** What the abort is to say when the time is over. */
  readonly reason: () => Error;
}

export interface TimeLimit {
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
