import { setTimeout as delay } from 'node:timers/promises';
import type { CallOptions } from '@agent/platforms';
import { checkOptions, expected, expectNumber } from '@agent/text/options';
import type { Sleep } from './run-options.ts';

/** Waits by the system's timer. */
export async function sleepBySystem(milliseconds: number, { signal }: CallOptions): Promise<void> {
  await delay(milliseconds, undefined, signal === undefined ? {} : { signal });
}

/** Limit of some work. */
interface TimeoutOptions {
  readonly timeoutMs: number;
  readonly sleep: Sleep;
  /** Ends the work, and the wait for it `graceMs` later. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds that work has to end after an abort. Default 0. */
  readonly graceMs?: number | undefined;
}

/** Result of work with a time limit. */
type TimedResult<Result> =
  | { readonly kind: 'done'; readonly value: Result }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'aborted' };

/**
 * Waits for work, but not longer than it may take: work that does not heed its signal is left behind. Work that finishes after an
 * abort, within the grace period, is done; if it rejects then, it is aborted.
 */
export async function withTimeout<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  { timeoutMs, sleep, signal, graceMs = 0 }: TimeoutOptions,
): Promise<TimedResult<Result>> {
  if (signal?.aborted) return { kind: 'aborted' };
  const ended = new AbortController();
  const working = new AbortController();
  const whenAborted = new Promise<TimedResult<Result>>((resolve) => {
    signal?.addEventListener('abort', () => resolve({ kind: 'aborted' }), { signal: ended.signal });
  });
  const whenLate = sleep(timeoutMs, { signal: ended.signal }).then(
    () => ({ kind: 'timeout' }) as const,
    () => whenAborted,
  );
  const whenDone = work(working.signal).then((value) => ({ kind: 'done', value }) as const);
  whenDone.catch(() => undefined);
  try {
    const result = await Promise.race([whenDone, whenLate, whenAborted]);
    if (result.kind === 'done') return result;
    working.abort(new Error('The call was aborted before it finished'));
    if (result.kind === 'timeout' || graceMs === 0) return result;
    const whenLeft = sleep(graceMs, { signal: ended.signal }).catch(() => undefined);
    return await Promise.race([whenDone.catch(() => result), whenLeft.then(() => result)]);
  } finally {
    ended.abort();
  }
}

/**
 * Waits for work that ends by itself after an abort, and abandons it one second after the abort if it does not.
 *
 * @throws the signal's reason if the work was abandoned
 */
export async function abandonAfterAbort<Result>(
  work: Promise<Result>,
  { signal, sleep }: { readonly signal: AbortSignal | undefined; readonly sleep: Sleep },
): Promise<Result> {
  if (signal === undefined) return work;
  const ended = new AbortController();
  const whenAborted = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true, signal: ended.signal });
  });
  const whenLeft = whenAborted
    .then(() => sleep(1_000, { signal: ended.signal }).catch(() => undefined))
    .then(() => Promise.reject(signal.reason));
  whenLeft.catch(() => undefined);
  return Promise.race([work, whenLeft]).finally(() => ended.abort());
}

/** Limits of `boundFetch`. */
export interface BoundedFetchOptions {
  /** Bytes of a body, after it was unpacked, that are read at most. Default 2,097,152. */
  readonly maxBytes?: number | undefined;
  /** Default the system's. */
  readonly fetch?: typeof fetch | undefined;
}

/**
 * A `fetch` for a model's provider that reads no answer without end: one that is longer fails, by an error whose `code`
 * is `answer-too-long`, as soon as that is known, and its connection is closed. It follows no redirect, which would carry the
 * conversation to another host; for that, `fetch` would keep a second copy of it as long as the model takes.
 *
 * @example
 * const provider = createOpenAI({ apiKey, fetch: boundFetch({ maxBytes: 1_000_000 }) });
 */
export function boundFetch(options: BoundedFetchOptions = {}): typeof fetch {
  checkOptions('BoundedFetchOptions', options, { maxBytes: expectNumber(1), fetch: expected.function });
  const { maxBytes = 2_097_152, fetch: send = fetch } = options;
  return async (input, init) => {
    // Without a window and redirects it sends the body that it is given, instead of a copy.
    const response = await send(input, { ...init, redirect: 'error', window: null }).catch(explainRedirect);
    if (response.body === null) return response;
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(countBytes(maxBytes)), { status, statusText, headers });
  };
}

function explainRedirect(error: unknown): never {
  const { cause } = error as { readonly cause?: { readonly message?: unknown } };
  if (cause?.message !== 'unexpected redirect') throw error;
  const message =
    "The model's endpoint redirects to another address, and redirects are not followed. Configure that address instead.";
  throw new Error(message, { cause: error });
}

function countBytes(maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform: (chunk, controller) => {
      bytes += chunk.byteLength;
      if (bytes <= maxBytes) return controller.enqueue(chunk);
      const message = `The answer of the model's endpoint is longer than ${maxBytes} bytes.`;
      controller.error(Object.assign(new Error(message), { code: 'answer-too-long' }));
    },
  });
}
