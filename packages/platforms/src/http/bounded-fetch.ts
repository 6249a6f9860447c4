import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RequestRecord } from '../model.ts';
import { readLimitHeaders } from './limit-headers.ts';

/** An answer that says it is JSON and is not. */
class MalformedAnswerError extends Error {
  override readonly name = 'MalformedAnswerError';
}

/** What the fetch of one call has to heed. */
export interface BoundedFetchOptions {
  readonly fetch: typeof globalThis.fetch;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  /** The route with its placeholders, for accounting. */
  readonly route: string;
  readonly onRequest: ((record: RequestRecord) => void) | undefined;
  /** Told of every 403 and 429, which may be a rate limit. */
  readonly onRefusal?: (response: Response) => void;
}

/**
 * The fetch of one call: bounds the whole answer in time, reads it to its end (a connection that breaks half way
 * is an error, not a short answer) and accounts for every request, repeated ones included.
 */
export function createBoundedFetch(options: BoundedFetchOptions): typeof globalThis.fetch {
  const { signal, timeoutMs, route, onRequest } = options;
  const method = route.split(' ', 1)[0] ?? 'GET';
  const record = (answer: Response | null) => {
    const status = answer?.status ?? null;
    const limits = answer === null ? null : readLimitHeaders(answer);
    const counted = status !== 304 && status !== null;
    onRequest?.({ method, route, status, counted, ...(limits == null ? {} : { limits }) });
  };
  return async (input, init) => {
    const timeout = AbortSignal.timeout(timeoutMs);
    const either = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
    let answer: Response | null = null;
    try {
      either.throwIfAborted();
      const response = await options.fetch(input, { ...init, signal: either });
      const body = await response.text();
      answer = response;
      if (response.status === 403 || response.status === 429) options.onRefusal?.(response);
      // A page of a thread can be several megabytes: others have a turn between reading and parsing it, and after it.
      await nextTurn();
      const read = toReadAnswer(response, body);
      await nextTurn();
      return read;
    } catch (error) {
      // Octokit passes on an AbortError as it is; any other error would be tried again.
      if (signal?.aborted === true) throw new DOMException('The caller ended the request.', 'AbortError');
      throw error;
    } finally {
      record(answer);
    }
  };
}

/**
 * The same answer, which can be asked once more for what was read of it: nothing is copied, decoded or parsed again. Its `body` is
 * the value, which is what Octokit hands on where it is told not to parse.
 */
function toReadAnswer(response: Response, text: string): Response {
  const isJson = /\bjson\b/u.test(response.headers.get('content-type') ?? '');
  const value: unknown = isJson && response.ok && text !== '' ? parseJson(text) : text;
  return Object.defineProperties(response, {
    text: { value: async () => text },
    json: { value: async () => (value === text ? parseJson(text) : value) },
    body: { value },
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new MalformedAnswerError('the answer is not JSON', { cause });
  }
}
