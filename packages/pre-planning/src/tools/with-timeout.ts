import type { Sleep } from '../sleep-for.ts';

export interface TimeoutOptions {
  readonly timeoutMs: number;
  readonly sleep: Sleep;
  readonly signal?: AbortSignal | undefined;
}

/** Waits for work, but not longer than it may take; work that does not heed its signal is left behind. */
export async function withTimeout<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  { timeoutMs, sleep, signal }: TimeoutOptions,
): Promise<{ readonly kind: 'done'; readonly value: Result } | { readonly kind: 'timeout' }> {
  signal?.throwIfAborted();
  const ended = new AbortController();
  const given = signal === undefined ? ended.signal : AbortSignal.any([signal, ended.signal]);
  const aborted = new Promise<never>((_, reject) => {
    given.addEventListener('abort', () => reject(given.reason), { once: true });
  });
  const late = sleep(timeoutMs, { signal: given }).then(() => ({ kind: 'timeout' }) as const);
  const done = work(given).then((value) => ({ kind: 'done', value }) as const);
  for (const promise of [aborted, late, done]) promise.catch(() => undefined);
  try {
    return await Promise.race([done, late, aborted]);
  } finally {
    ended.abort(new Error('The call was ended'));
  }
}
