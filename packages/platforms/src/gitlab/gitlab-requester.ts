import { parseJson, toRecord } from '@agent/text/json';
import type { RequestHandlerFn, ResponseBodyTypes } from '@gitbeaker/requester-utils';
import type { Authorization } from '../http/authorization.ts';
import { createBoundedFetch } from '../http/bounded-fetch.ts';
import { type Pace, toLimitWait, waitOutLimit } from '../http/rate-limits.ts';
import type { Service } from '../http/translate-error.ts';
import type { RequestRecord } from '../model.ts';
import { PlatformError } from '../platform-error.ts';
import type { GitLabSettings } from './gitlab-options.ts';

/** One call of ours, for which gitbeaker makes a request. */
interface RequesterOptions {
  readonly settings: GitLabSettings;
  readonly pace: Pace;
  readonly authorization: Authorization;
  readonly route: string;
  readonly impatient: boolean;
  readonly signal: AbortSignal | undefined;
  readonly onRequest: ((record: RequestRecord) => void) | undefined;
  /** Query that is sent instead of the one that gitbeaker makes. */
  readonly query: URLSearchParams | null;
  /** Receives the place of the answer in its list. gitbeaker does not see `Link`: it would follow it by its own rules. */
  readonly onPlace: (place: PagePlace) => void;
}

/** Position of an answer in its list, as its headers give it. */
export interface PagePlace {
  /** Query that was sent. */
  readonly query: URLSearchParams;
  readonly link: string | null;
  /** Null for what GitLab does not count: keyset lists, and lists of more than 10,000 items. */
  readonly total: number | null;
  readonly totalPages: number | null;
  /** Number of the next page, 0 at the end; null if the answer does not say. */
  readonly nextPage: number | null;
}

/** Request that gitbeaker hands to a requester; its own types leave it open. */
interface GitbeakerRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly prefixUrl: string;
  readonly searchParams?: string;
  readonly body?: string;
}

/**
 * Sends gitbeaker's requests: one signal and one time limit per call, waits for limits within bounds, repeats reads
 * and never writes. gitbeaker's own requester repeats writes after 502 and does not heed `Retry-After`.
 */
export function createGitLabRequester(
  options: RequesterOptions,
  { createRequesterFn }: typeof import('@gitbeaker/requester-utils'),
) {
  const { settings, pace, route, signal, onRequest } = options;
  const isRead = route.startsWith('GET ');
  const { fetch, timeoutMs, userAgent } = settings;
  const bounded = options.authorization.authorize(
    createBoundedFetch({ fetch, timeoutMs, signal, route, onRequest }),
    { signal },
  );
  const maxWaitMs = options.impatient ? 0 : settings.maxRateLimitWaitMs;
  const handle: RequestHandlerFn = async (endpoint, given) => {
    const { method, headers, prefixUrl, searchParams, body } = given as unknown as GitbeakerRequest;
    const url = new URL(endpoint, prefixUrl.replace(/(?<!\/)\/*$/u, '/'));
    url.search = options.query?.toString() ?? searchParams ?? '';
    const init = { method, headers: { ...headers, 'user-agent': userAgent }, body: body ?? null };
    const exchange = async () => {
      await pace.enter({ isWrite: !isRead, maxWaitMs, signal });
      return readAnswer(await fetchOnOrigin(url, { fetch: bounded, init }));
    };
    const retries = isRead && !options.impatient ? settings.readRetries : 0;
    const { link = null, ...answer } = await sendPatiently(exchange, {
      settings,
      retries,
      maxWaitMs,
      signal,
    });
    const count = (name: string) => toCount(answer.headers[name]);
    options.onPlace({
      ...{ query: url.searchParams, link, total: count('x-total'), totalPages: count('x-total-pages') },
      nextPage: answer.headers['x-next-page'] === '' ? 0 : count('x-next-page'),
    });
    return answer;
  };
  return createRequesterFn(async (_service, request) => request, handle);
}

function toCount(text: string | undefined): number | null {
  const count = Number(text);
  return text === undefined || text === '' || !Number.isSafeInteger(count) ? null : count;
}

async function readAnswer(response: Response) {
  const text = await response.text();
  if (!response.ok) throw new GitLabHttpError(response, text);
  const isPlain = /^text\/plain\b/u.test(response.headers.get('content-type') ?? '');
  const body = text === '' ? null : isPlain ? text : ((await response.json()) as ResponseBodyTypes);
  const { link, ...headers } = Object.fromEntries(response.headers);
  return { status: response.status, headers, link, body };
}

/** Patience of a call. */
interface Patience {
  readonly settings: GitLabSettings;
  /** Further attempts after a failure; 0 for writes, which may have had their effect. */
  readonly retries: number;
  readonly maxWaitMs: number;
  readonly signal: AbortSignal | undefined;
}

/** Repeats a request after a limit, which had no effect whatever it asked for, and after failures where it may. */
async function sendPatiently<Answer>(
  exchange: () => Promise<Answer>,
  { settings, retries, maxWaitMs, signal }: Patience,
): Promise<Answer> {
  let waits = 0;
  let failures = 0;
  for (;;) {
    try {
      return await exchange();
    } catch (error) {
      signal?.throwIfAborted();
      const waitMs = findWait(error, settings);
      if (waitMs !== null) {
        if (!(await waitOutLimit({ waitMs, maxWaitMs, waits, signal }, settings))) throw error;
        waits += 1;
      } else {
        if (failures >= retries || !isTransient(error)) throw error;
        failures += 1;
        await settings.sleep(settings.retryDelayMs * failures ** 2, signal);
      }
    }
  }
}

function findWait(error: unknown, { now }: GitLabSettings): number | null {
  if (!(error instanceof GitLabHttpError)) return null;
  const { status, message, response } = error;
  return (
    gitLabService.findRateLimit({ status, message, headers: response.headers }, now())?.retryAfterMs ?? null
  );
}

/** Tells failures that may be over at the next attempt: 5xx, a broken connection, a timeout. */
function isTransient(error: unknown): boolean {
  if (PlatformError.isInstance(error)) return false;
  return !(error instanceof GitLabHttpError) || error.status >= 500;
}

const longestChain = 5;

/**
 * Fetches and follows redirects (GitLab redirects reads of a project that was renamed) on the same origin only: the
 * header with the token goes along.
 *
 * @throws PlatformError `unavailable` when a redirect leads to another host, or from one address to the next for ever
 */
async function fetchOnOrigin(
  url: URL,
  { fetch: request, init }: { readonly fetch: typeof globalThis.fetch; readonly init: RequestInit },
): Promise<Response> {
  let address = url;
  for (let hops = 0; hops < longestChain; hops += 1) {
    const response = await request(address, { ...init, redirect: 'manual' });
    const location = response.headers.get('location');
    if (response.status < 300 || response.status > 399 || location === null) return response;
    const next = new URL(location, address);
    if (next.origin !== url.origin) throw elsewhere(`${url.origin} redirects to ${next.origin}`);
    // A redirected write would arrive as a read.
    if (init.method !== 'GET') throw elsewhere(`${url.origin} redirects what is written to it`);
    address = next;
  }
  throw elsewhere(`${url.origin} redirects from one address to the next`);
}

function elsewhere(what: string): PlatformError {
  return new PlatformError(`${what}. Set baseUrl to the address that the server calls its own.`, {
    code: 'unavailable',
  });
}

/** An answer that is no success, in the shape that errors are translated from. */
class GitLabHttpError extends Error {
  override readonly name = 'GitLabHttpError';
  readonly status: number;
  readonly response: { readonly headers: Readonly<Record<string, string>> };

  constructor(response: Response, body: string) {
    super(describe(body) || response.statusText || 'no reason given');
    this.status = response.status;
    this.response = { headers: Object.fromEntries(response.headers) };
  }
}

/** GitLab puts its reason in `message` (a text, a list, or an object of fields) or in `error` and `error_description`. */
function describe(body: string): string {
  const json = toRecord(parseJson(body));
  if (json === null) return body;
  const { message, error, error_description: description } = json;
  return [message, error, description]
    .filter((part) => part != null)
    .map(toText)
    .join(': ');
}

const toText = (part: unknown) => (typeof part === 'string' ? part : JSON.stringify(part));

/**
 * GitLab's name, and its rules for refusals: a limit is 429, with `Retry-After` and `RateLimit-Reset` where it is one
 * of the whole server, without them where it is one of a kind of request.
 *
 * @see https://docs.gitlab.com/administration/settings/user_and_ip_rate_limits/#response-headers
 */
export const gitLabService: Service = {
  name: 'GitLab',
  suspended: /account has been (?:blocked|deactivated)/iu,
  closed:
    'its account lacks the role there (Reporter for issues and labels, Developer for branches and merge requests)',
  findRateLimit: ({ status, headers }, now) => {
    if (status !== 429) return null;
    const resetSeconds = headers['ratelimit-reset'];
    return { retryAfterMs: toLimitWait({ retryAfter: headers['retry-after'], resetSeconds }, now) };
  },
};
