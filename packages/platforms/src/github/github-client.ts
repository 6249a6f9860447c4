import type { Octokit } from '@octokit/rest';
import * as z from 'zod';
import { createBoundedFetch } from '../http/bounded-fetch.ts';
import { parseAnswer } from '../http/parse-answer.ts';
import { type Operation, type Service, translateError } from '../http/translate-error.ts';
import { untilAborted } from '../http/until-aborted.ts';
import type { RequestRecord } from '../model.ts';
import { PlatformError } from '../platform-error.ts';
import { createOctokit, createPlainOctokit, type OctokitCallOptions } from './create-octokit.ts';
import type { GitHubSettings } from './github-options.ts';
import { findRateLimit } from './rate-limit.ts';

/** One question to GitHub, in words and in HTTP. */
export interface GitHubCall extends Operation {
  /** `GET /repos/{owner}/{repo}/issues`, placeholders unfilled. */
  readonly route: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** A page that an earlier answer linked to, asked instead of the route's own address. */
  readonly page?: string | undefined;
  /** Asks only for what differs from the answer that had this ETag. */
  readonly etag?: string | null;
  /** Neither repeated nor kept waiting: the caller has its own way of coming back. Writes are never repeated. */
  readonly impatient?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** An answer that has passed its schema. */
export interface GitHubAnswer<Data> extends PageLinks {
  readonly data: Data;
  readonly etag: string | null;
}

/** Asks GitHub in the ways that the ports need. */
export interface GitHubClient {
  /** @throws PlatformError, or the signal's reason */
  readonly ask: <Schema extends z.ZodType>(
    call: GitHubCall,
    schema: Schema,
  ) => Promise<GitHubAnswer<z.output<Schema>>>;
  /** Null when nothing changed since the call's ETag. */
  readonly askIfChanged: <Schema extends z.ZodType>(
    call: GitHubCall,
    schema: Schema,
  ) => Promise<GitHubAnswer<z.output<Schema>> | null>;
  /** The items of all pages. */
  readonly askAll: <Schema extends z.ZodType>(call: GitHubCall, item: Schema) => Promise<z.output<Schema>[]>;
  /** The same client, telling this callback of every request. */
  readonly recordingTo: (onRequest: ((record: RequestRecord) => void) | undefined) => GitHubClient;
}

/** Asks GitHub: bounded in time, translated errors, answers checked by schema. */
export function createGitHubClient(settings: GitHubSettings): GitHubClient {
  const octokits = { patient: createOctokit(settings), plain: createPlainOctokit(settings) };
  return toClient({ settings, octokits, onRequest: settings.onRequest });
}

interface Connection {
  readonly settings: GitHubSettings;
  /** The plain one is for impatient reads. */
  readonly octokits: { readonly patient: Octokit; readonly plain: Octokit };
  readonly onRequest: (record: RequestRecord) => void;
}

function toClient(connection: Connection): GitHubClient {
  const askIfChanged: GitHubClient['askIfChanged'] = async (call, schema) => {
    const response = await send(connection, call);
    if (response === null) return null;
    const { etag, link } = response.headers;
    const data = parseAnswer(response.data, { schema, doing: call.doing, service: gitHubService.name });
    return { data, etag: etag ?? null, ...findPageLinks(link, connection.settings.baseUrl) };
  };
  const ask: GitHubClient['ask'] = async (call, schema) => {
    const answer = await askIfChanged(call, schema);
    if (answer !== null) return answer;
    throw new PlatformError(`Could not ${call.doing}: GitHub answered 304 to a question without an ETag.`, {
      code: 'unavailable',
    });
  };
  return {
    ask,
    askIfChanged,
    askAll: async (call, item) => {
      const items: z.output<typeof item>[] = [];
      let page: string | undefined;
      do {
        const answer = await ask({ ...call, page }, z.array(item));
        items.push(...answer.data);
        page = answer.next ?? undefined;
      } while (page !== undefined);
      return items;
    },
    recordingTo: (onThreadRequest) =>
      toClient({
        ...connection,
        onRequest: (record) => {
          connection.onRequest(record);
          onThreadRequest?.(record);
        },
      }),
  };
}

interface OctokitAnswer {
  readonly data: unknown;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

async function send(connection: Connection, call: GitHubCall): Promise<OctokitAnswer | null> {
  const { settings, octokits } = connection;
  const { signal } = call;
  signal?.throwIfAborted();
  const route = call.page === undefined ? call.route : `GET ${call.page}`;
  const parameters = {
    ...(call.page === undefined ? call.parameters : {}),
    ...requestOptions(connection, call),
  };
  try {
    const isPlain = call.impatient === true && route.startsWith('GET ');
    const answer = octokits[isPlain ? 'plain' : 'patient'].request(route, parameters);
    return (await untilAborted(answer, signal)) as OctokitAnswer;
  } catch (error) {
    signal?.throwIfAborted();
    if ((error as { status?: unknown }).status === 304) return null;
    const { baseUrl, timeoutMs, token, now } = settings;
    throw translateError(error, { ...call, service: gitHubService, baseUrl, timeoutMs, token, now: now() });
  }
}

function requestOptions({ settings, onRequest }: Connection, call: GitHubCall) {
  const { fetch, timeoutMs, maxRateLimitWaitMs, now } = settings;
  const { route, signal } = call;
  let askedWaitMs: number | null = null;
  const onRefusal = ({ status, headers }: Response) => {
    const answer = { status, headers: Object.fromEntries(headers), message: '' };
    askedWaitMs = findRateLimit(answer, now())?.retryAfterMs ?? null;
  };
  const once = call.impatient === true || !route.startsWith('GET ');
  const request: OctokitCallOptions = {
    fetch: createBoundedFetch({ fetch, timeoutMs, signal, route, onRequest, onRefusal }),
    ...(once ? { retries: 0 } : {}),
    askedWaitMs: () => askedWaitMs,
    maxWaitMs: call.impatient === true ? 0 : maxRateLimitWaitMs,
    ...(signal === undefined ? {} : { signal }),
  };
  const conditional = call.etag == null ? {} : { 'if-none-match': call.etag };
  return { request, headers: { 'x-github-api-version': '2022-11-28', ...conditional } };
}

/** GitHub's name, and its rules for refusals. */
const gitHubService: Service = {
  name: 'GitHub',
  closed: 'the thread or repository is closed to it',
  findRateLimit,
};

/** Addresses of the pages around one page; null where there is none, or the server does not say. */
interface PageLinks {
  readonly next: string | null;
  readonly previous: string | null;
  readonly last: string | null;
}

/**
 * The addresses in `Link: <…>; rel="next", …`. Addresses of pages are followed, never built.
 *
 * @throws PlatformError `unavailable` when one leads to another host, which must not see the token
 * @see https://docs.github.com/en/rest/using-the-rest-api/using-pagination-in-the-rest-api
 */
export function findPageLinks(link: string | undefined, baseUrl: string): PageLinks {
  const find = (relation: string): string | null => {
    const address = new RegExp(`<([^<>]+)>;\\s*rel="${relation}"`, 'u').exec(link ?? '')?.[1];
    return address === undefined ? null : onSameOrigin(new URL(address, baseUrl), baseUrl);
  };
  return { next: find('next'), previous: find('prev'), last: find('last') };
}

function onSameOrigin(page: URL, baseUrl: string): string {
  if (page.origin === new URL(baseUrl).origin) return page.href;
  throw new PlatformError(
    `GitHub at ${baseUrl} links another page to ${page.origin}. Set baseUrl to the address that the server calls its own.`,
    { code: 'unavailable' },
  );
}
