import { setTimeout as delay } from 'node:timers/promises';

import { checkOptions, type Expectation, expected, expectNumber } from './check-options.ts';

/** Options of a wait with a limit. */
export interface TimeLimitOptions {
  readonly timeoutMs: number;
  /** Ends the wait early, which then rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
  /** Makes the error of a wait that was too long. */
  readonly tooLong: () => Error;
  /** Resolves after this long; rejects when the signal aborts. Default the real clock. */
  readonly sleep?: ((milliseconds: number, signal: AbortSignal) => Promise<unknown>) | undefined;
}

const expectations = {
  timeoutMs: expectNumber(0),
  signal: expected.signal,
  tooLong: expected.function,
  sleep: expected.function,
} as const satisfies Record<keyof TimeLimitOptions, Expectation>;

const waitForReal = (milliseconds: number, signal: AbortSignal) => delay(milliseconds, undefined, { signal });

/**
 * Waits for work that may never end by itself. The signal of the work is aborted at the end of the wait, whether the work heeds it
 * or not.
 */
export async function withinTimeLimit<Result>(
  work: (signal: AbortSignal) => Result | Promise<Result>,
  options: TimeLimitOptions,
): Promise<Result> {
  checkOptions('TimeLimitOptions', options, expectations, ['timeoutMs', 'tooLong']);
  const { timeoutMs, signal: caller, tooLong, sleep = waitForReal } = options;
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

/** Waits for work that may be shared: a caller whose signal aborts leaves it to the others. @throws the signal's reason */
export async function untilAborted<Result>(
  work: Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  if (signal === undefined) return work;
  const aborted = Promise.withResolvers<never>();
  const leave = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', leave, { once: true });
  if (signal.aborted) leave();
  try {
    return await Promise.race([aborted.promise, work]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}

/** Runs work in the order of the calls, each after the end of the one before, whether that failed or not. */
export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Creates a queue for work. */
export function createTurns(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return mine;
  };
}

/** The same for work on one key; work on different keys runs side by side. */
export type InTurnOfKey = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

/** Creates a queue per key. A key without work takes no memory. */
export function createKeyedTurns(): InTurnOfKey {
  const tails = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const mine = (tails.get(key) ?? Promise.resolve()).then(work);
    const tail = mine
      .catch(() => undefined)
      .finally(() => {
        if (tails.get(key) === tail) tails.delete(key);
      });
    tails.set(key, tail);
    return mine;
  };
}
