import { createRequesterFn, type RequestHandlerFn, type ResponseBodyTypes } from '@gitbeaker/requester-utils';
import { createBoundedFetch } from '../http/bounded-fetch.ts';
import type { Pace } from '../http/pace.ts';
import type { RequestRecord } from '../model.ts';
import { fetchOnOrigin } from './fetch-on-origin.ts';
import { GitLabHttpError } from './gitlab-http-error.ts';
import type { GitLabSettings } from './gitlab-options.ts';
import { sendPatiently } from './send-patiently.ts';

/** One call of ours, for which gitbeaker makes a request. */
export interface RequesterOptions {
  readonly settings: GitLabSettings;
  readonly pace: Pace;
  readonly route: string;
  readonly impatient: boolean;
  readonly signal: AbortSignal | undefined;
  readonly onRequest: ((record: RequestRecord) => void) | undefined;
  /** Told of the answer's `Link`, which gitbeaker does not see: it would follow it by rules of its own. */
  readonly onLink: (link: string | null) => void;
}

/** What gitbeaker hands to a requester; its own types leave it open. */
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
export function createGitLabRequester(options: RequesterOptions) {
  const { settings, pace, route, signal, onRequest } = options;
  const isRead = route.startsWith('GET ');
  const { fetch, timeoutMs, userAgent } = settings;
  const bounded = createBoundedFetch({ fetch, timeoutMs, signal, route, onRequest });
  const maxWaitMs = options.impatient ? 0 : settings.maxRateLimitWaitMs;
  const handle: RequestHandlerFn = async (endpoint, given) => {
    const { method, headers, prefixUrl, searchParams, body } = given as unknown as GitbeakerRequest;
    const url = new URL(endpoint, prefixUrl.replace(/(?<!\/)\/*$/u, '/'));
    url.search = searchParams ?? '';
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
    options.onLink(link);
    return answer;
  };
  return createRequesterFn(async (_service, request) => request, handle);
}

async function readAnswer(response: Response) {
  const text = await response.text();
  if (!response.ok) throw new GitLabHttpError(response, text);
  const body = text === '' ? null : ((await response.json()) as ResponseBodyTypes);
  const { link, ...headers } = Object.fromEntries(response.headers);
  return { status: response.status, headers, link, body };
}
