import { setTimeout as delay } from 'node:timers/promises';
import type { CallOptions } from './ports.ts';
import type { Sleep } from './run-options.ts';

/** Waits by the system's timer. */
export async function sleepBySystem(milliseconds: number, { signal }: CallOptions): Promise<void> {
  await delay(milliseconds, undefined, signal === undefined ? {} : { signal });
}

/** Limit of some work. */
interface TimeoutOptions {
  readonly timeoutMs: number;
  readonly sleep: Sleep;
  /** Ends the wait at once. */
  readonly signal?: AbortSignal | undefined;
}

/** Result of work with a time limit. */
type TimedResult<Result> =
  | { readonly kind: 'done'; readonly value: Result }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'aborted' };

/**
 * Waits for work, but not longer than it may take, and not after an abort: work that does not heed its signal is
 * left behind.
 */
export async function withTimeout<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  { timeoutMs, sleep, signal }: TimeoutOptions,
): Promise<TimedResult<Result>> {
  const ended = new AbortController();
  const working = new AbortController();
  const whenAborted = new Promise<TimedResult<Result>>((resolve) => {
    signal?.addEventListener('abort', () => resolve({ kind: 'aborted' }), { signal: ended.signal });
  });
  const whenLate = sleep(timeoutMs, { signal: ended.signal }).then(
    () => ({ kind: 'timeout' }) as const,
    () => whenAborted,
  );
  if (signal?.aborted) return { kind: 'aborted' };
  const whenDone = work(working.signal).then((value) => ({ kind: 'done', value }) as const);
  whenDone.catch(() => undefined);
  try {
    const result = await Promise.race([whenDone, whenLate, whenAborted]);
    if (result.kind !== 'done') working.abort(new Error('The call was ended before it was done'));
    return result;
  } finally {
    ended.abort();
  }
}
