import type { RequestRecord } from '../model.ts';
import { readLimitHeaders } from './limit-headers.ts';

/** An answer that says it is JSON and is not. */
export class MalformedAnswerError extends Error {
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
      const body = await response.arrayBuffer();
      answer = response;
      if (response.status === 403 || response.status === 429) options.onRefusal?.(response);
      requireJson(response, body);
      return copyOf(response, body);
    } catch (error) {
      // Octokit passes on an AbortError as it is; any other error would be tried again.
      if (signal?.aborted === true) throw new DOMException('The caller ended the request.', 'AbortError');
      throw error;
    } finally {
      record(answer);
    }
  };
}

function requireJson(response: Response, body: ArrayBuffer): void {
  const isJson = /^application\/(?:[\w.+-]+\+)?json\b/u.test(response.headers.get('content-type') ?? '');
  if (!isJson || !response.ok || body.byteLength === 0) return;
  try {
    JSON.parse(new TextDecoder().decode(body));
  } catch (cause) {
    throw new MalformedAnswerError('the answer says that it is JSON and is not', { cause });
  }
}

function copyOf(response: Response, body: ArrayBuffer): Response {
  const { status, statusText, headers } = response;
  const hasNoBody = status === 204 || status === 205 || status === 304;
  return new Response(hasNoBody ? null : body, { status, statusText, headers });
}
