import { setImmediate as nextTurn } from 'node:timers/promises';
import { withinTimeLimit } from '@agent/text/waiting';
import type { RequestRecord } from '../model.ts';

/** An answer that says it is JSON and is not. */
class MalformedAnswerError extends Error {
  override readonly name = 'MalformedAnswerError';
}

/** Rules that the fetch of one call has to heed. */
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
    const ask = async (within: AbortSignal) => {
      const response = await options.fetch(input, { ...init, signal: within });
      return { response, body: await response.text() };
    };
    let answer: Response | null = null;
    try {
      const { response, body } = await withinTimeLimit(ask, { timeoutMs, signal, tooLong });
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
export function toReadAnswer(response: Response, text: string): Response {
  const isJson = /\bjson\b/u.test(response.headers.get('content-type') ?? '');
  const value: unknown = isJson && response.ok && text !== '' ? parseJson(text) : text;
  return Object.defineProperties(response, {
    text: { value: async () => text },
    json: { value: async () => (value === text ? parseJson(text) : value) },
    body: { value },
  });
}

const tooLong = () => new DOMException('The answer did not arrive in time.', 'TimeoutError');

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new MalformedAnswerError('the answer is not JSON', { cause });
  }
}

/**
 * Reads what an answer says of its credential's limits; null where it says nothing. GitHub's names have the prefix `x-`,
 * GitLab's have none.
 *
 * @see https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#checking-the-status-of-your-rate-limit
 * @see https://docs.gitlab.com/administration/settings/user_and_ip_rate_limits/#response-headers
 */
function readLimitHeaders({ status, headers }: Response): RequestRecord['limits'] | null {
  const read = (name: string): number | null => {
    const text = headers.get(`x-ratelimit-${name}`) ?? headers.get(`ratelimit-${name}`);
    const number = Number(text);
    return text === null || text.trim() === '' || !Number.isFinite(number) ? null : number;
  };
  const [limit, remaining, reset] = [read('limit'), read('remaining'), read('reset')];
  const isWhole = limit !== null && remaining !== null && reset !== null;
  const isCore = (headers.get('x-ratelimit-resource') ?? 'core') === 'core';
  const primary = isWhole && isCore ? { limit, remaining, resetAt: reset * 1000 } : null;
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  const isRefused = (status === 403 || status === 429) && Number.isFinite(seconds);
  const retryAfterMs = isRefused ? Math.max(0, seconds * 1000) : null;
  return primary === null && retryAfterMs === null ? null : { primary, retryAfterMs };
}
