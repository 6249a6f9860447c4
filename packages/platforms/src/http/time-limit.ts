import { setTimeout as delay } from 'node:timers/promises';

/** Options of a wait with a limit. */
export interface TimeLimitOptions {
  readonly timeoutMs: number;
  /** Ends the wait early; what then rejects is its reason. */
  readonly signal?: AbortSignal | undefined;
  /** Error that a wait which was too long rejects with. */
  readonly tooLong: () => Error;
  /** Resolves after this long; rejects when the signal aborts. Default the real clock. */
  readonly sleep?: ((milliseconds: number, signal: AbortSignal) => Promise<unknown>) | undefined;
}

const waitForReal = (milliseconds: number, signal: AbortSignal) => delay(milliseconds, undefined, { signal });

/**
 * Waits for work that may never end by itself. The work gets a signal that is aborted when nobody waits for it any
 * more; whether it listens or not, the wait is over.
 */
export async function withinTimeLimit<T>(
  work: (signal: AbortSignal) => T | Promise<T>,
  { timeoutMs, signal: caller, tooLong, sleep = waitForReal }: TimeLimitOptions,
): Promise<T> {
  caller?.throwIfAborted();
  const ending = new AbortController();
  const onAbort = () => ending.abort(caller?.reason);
  caller?.addEventListener('abort', onAbort, { once: true });
  const clock = new AbortController();
  sleep(timeoutMs, clock.signal).then(
    () => ending.abort(tooLong()),
    () => undefined,
  );
  try {
    return await untilAborted(Promise.resolve(ending.signal).then(work), ending.signal);
  } finally {
    clock.abort();
    caller?.removeEventListener('abort', onAbort);
  }
}

/** Lets a caller leave at once who waits in a queue that knows no signal; the work itself finds its signal aborted. */
export async function untilAborted<Result>(
  work: Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  if (signal === undefined) return work;
  let leave = () => {};
  const aborted = new Promise<never>((_, reject) => {
    leave = () => reject(signal.reason);
    signal.addEventListener('abort', leave, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}
