import { untilAborted } from '@agent/text/waiting';
import type { Octokit } from '@octokit/rest';
import * as z from 'zod';
import { type AnswerSharing, createAnswerSharing } from '../http/answer-sharing.ts';
import { type Authorization, createAuthorization } from '../http/authorization.ts';
import { createBoundedFetch } from '../http/bounded-fetch.ts';
import { findRateLimit, gitHubService } from '../http/github-service.ts';
import { createLimitMemory, type LimitMemory, namesTime } from '../http/limit-memory.ts';
import { loadPeer } from '../http/load-peer.ts';
import { type Operation, parseAnswer, translateError } from '../http/translate-error.ts';
import type { RequestRecord } from '../model.ts';
import { PlatformError } from '../platform-error.ts';
import type { OctokitCallOptions } from './create-octokit.ts';
import type { GitHubSettings } from './github-options.ts';
import { findNextAddress, findPageLinks, type PageLinks } from './github-pages.ts';

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
  /** True where the answer is an address elsewhere, which must not see the token. */
  readonly isRedirected?: boolean;
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
  /** Address that the call is redirected to, which is not asked; null where it is not redirected. */
  readonly locate: (call: GitHubCall) => Promise<string | null>;
  /** The same client, telling this callback of every request. */
  readonly recordingTo: (onRequest: ((record: RequestRecord) => void) | undefined) => GitHubClient;
}

/** Asks GitHub: bounded in time, translated errors, answers checked by schema. */
export function createGitHubClient(settings: GitHubSettings): GitHubClient {
  const { answers, onRequest } = settings;
  const sharing = answers === null ? null : createAnswerSharing({ ...settings, answers });
  const authorization = createAuthorization(settings.credential, (token) => [
    'authorization',
    `Bearer ${token}`,
  ]);
  const limits = createLimitMemory(settings);
  let opened: Promise<Octokits> | null = null;
  const octokits = () => {
    opened ??= openOctokits(settings);
    return opened;
  };
  return toClient({ settings, octokits, authorization, sharing, renamed: new Map(), limits, onRequest });
}

interface Octokits {
  readonly patient: Octokit;
  /** For impatient reads. */
  readonly plain: Octokit;
}

async function openOctokits(settings: GitHubSettings): Promise<Octokits> {
  const { createOctokit, createPlainOctokit } = await loadPeer(() => import('./create-octokit.ts'), {
    entry: '@agent/platforms/github',
    packages: ['@octokit/rest', '@octokit/plugin-retry', '@octokit/plugin-throttling', 'bottleneck'],
  });
  return { patient: createOctokit(settings), plain: createPlainOctokit(settings) };
}

interface Connection {
  readonly settings: GitHubSettings;
  /** Loaded with the first request. */
  readonly octokits: () => Promise<Octokits>;
  readonly authorization: Authorization;
  /** Null where no other process has the credential. */
  readonly sharing: AnswerSharing | null;
  /** Ids that repositories redirect to since they were renamed, by their former names in lower case. */
  readonly renamed: Map<string, string>;
  readonly limits: LimitMemory;
  readonly onRequest: (record: RequestRecord) => void;
}

function toClient(connection: Connection): GitHubClient {
  const askIfChanged: GitHubClient['askIfChanged'] = async (call, schema) => {
    const response = await send(connection, call);
    if (response === null) return null;
    const { etag, link } = response.headers;
    const data = parseAnswer(response.data, { schema, doing: call.doing, service: gitHubService.name });
    const { plain } = await connection.octokits();
    const { settings } = connection;
    const asked = call.page ?? plain.request.endpoint(call.route, { ...call.parameters }).url;
    const links = findPageLinks(link, settings.baseUrl);
    return {
      data,
      etag: etag ?? null,
      ...links,
      next: findNextAddress(links.next, { asked, body: response.data }),
    };
  };
  const ask: GitHubClient['ask'] = async (call, schema) => {
    const answer = await askIfChanged(call, schema);
    if (answer !== null) return answer;
    throw new PlatformError(`Could not ${call.doing}: GitHub answered 304 to a request without an ETag.`, {
      code: 'unavailable',
    });
  };
  return {
    ask,
    askIfChanged,
    askAll: toAskAll(ask),
    locate: async (call) =>
      (await send(connection, { ...call, isRedirected: true }))?.headers.location ?? null,
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

/** Follows the pages that each answer names. */
export function toAskAll(ask: GitHubClient['ask']): GitHubClient['askAll'] {
  return async (call, item) => {
    const items: z.output<typeof item>[] = [];
    let page: string | undefined;
    do {
      const answer = await ask({ ...call, page }, z.array(item));
      items.push(...answer.data);
      page = answer.next ?? undefined;
    } while (page !== undefined);
    return items;
  };
}

interface OctokitAnswer {
  readonly data: unknown;
  /** Address that answered, after redirects. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

async function send(connection: Connection, call: GitHubCall): Promise<OctokitAnswer | null> {
  const { settings, authorization, limits } = connection;
  const { signal, impatient = false } = call;
  signal?.throwIfAborted();
  const octokits = await connection.octokits();
  const route = call.page === undefined ? call.route : `GET ${call.page}`;
  const parameters = {
    ...(call.page === undefined ? call.parameters : {}),
    ...requestOptions(connection, call),
  };
  const isRead = route.startsWith('GET ');
  // GitHub counts searches by themselves.
  const counted = { resource: route.startsWith('GET /search/') ? 'search' : 'core', isWrite: !isRead };
  try {
    await limits.enter({ ...counted, maxWaitMs: impatient ? 0 : settings.maxRateLimitWaitMs, signal });
    await authorization.prepare({ repository: call.repository ?? undefined, signal });
    const isPlain = impatient && isRead;
    const request = octokits[isPlain ? 'plain' : 'patient'].request(route, parameters);
    const answer = (await untilAborted(request, signal)) as OctokitAnswer;
    await requireSamePlace(connection, { call, url: answer.url });
    return answer;
  } catch (error) {
    signal?.throwIfAborted();
    if ((error as { status?: unknown }).status === 304) return null;
    const { baseUrl, timeoutMs, now } = settings;
    const { redact } = authorization;
    const place = { baseUrl, timeoutMs, redact, now: now() };
    const refusal = translateError(error, { ...call, service: gitHubService, ...place });
    if (namesTime(error)) limits.note(counted, refusal);
    throw refusal;
  }
}

/**
 * Checks the place that answered a redirected request. A renamed repository redirects to its id and keeps the rest of
 * the address. A transferred issue redirects to another repository, mostly to another number.
 *
 * @throws PlatformError `not-found` for an answer from another repository or thread
 * @see https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api#follow-redirects
 * @see https://github.com/Systemorph/MeshWeaver/issues/4629 (measured on 2026-09-17)
 */
async function requireSamePlace(
  connection: Connection,
  { call, url }: { readonly call: GitHubCall; readonly url: string },
): Promise<void> {
  const { renamed } = connection;
  const { owner, repo } = call.parameters ?? {};
  if (url === '' || call.page !== undefined || owner === undefined || repo === undefined) return;
  const { plain } = await connection.octokits();
  const asked = plain.request.endpoint(call.route, { ...call.parameters }).url;
  const place = findPlace(new URL(asked).pathname, 'repos');
  const { pathname } = new URL(url);
  if (place === null || pathname.endsWith(place.path)) return;
  const redirected = findPlace(pathname, 'repositories');
  const id = redirected?.names[0] ?? null;
  const rest = redirected?.rest ?? '';
  if (rest === '' && place.rest === '' && id !== null) return;
  const name = `${owner}/${repo}`.toLowerCase();
  if (id !== null && rest === place.rest) {
    if (renamed.get(name) === id) return;
    const known = { ...call, route: 'GET /repos/{owner}/{repo}', parameters: { owner, repo }, etag: null };
    const repository = await send(connection, known);
    if (z.object({ id: z.number() }).safeParse(repository?.data).data?.id === Number(id)) {
      renamed.set(name, id);
      return;
    }
  }
  throw new PlatformError(
    `Could not ${call.doing}: GitHub redirects it to another repository or thread. It was probably transferred.`,
    { code: 'not-found' },
  );
}

interface PlacePath {
  /** From the word that names the kind of place. */
  readonly path: string;
  /** Owner and name, or the id. */
  readonly names: readonly string[];
  /** Path behind the names, with its slash; empty for the repository itself. */
  readonly rest: string;
}

/** Finds the repository in a path of the API: `/repos/{owner}/{name}/…` or `/repositories/{id}/…`, behind any prefix. */
function findPlace(pathname: string, kind: 'repos' | 'repositories'): PlacePath | null {
  const parts = pathname.split('/');
  const at = parts.indexOf(kind);
  const count = kind === 'repos' ? 2 : 1;
  const names = at === -1 ? [] : parts.slice(at + 1, at + 1 + count);
  if (names.length < count || names.includes('')) return null;
  const rest = parts.slice(at + 1 + count).map((part) => `/${part}`);
  return { path: `/${parts.slice(at).join('/')}`, names, rest: rest.join('') };
}

/** Lists of threads and of comments are what several processes poll; what else there is, one of them asks for now and then. */
const sharedRoutes =
  /^GET \/repos\/\{owner\}\/\{repo\}\/(?:issues(?:(?:\/\{issue_number\})?\/comments)?|pulls(?:\/\{pull_number\})?\/comments)$/u;

function requestOptions({ settings, authorization, sharing, onRequest }: Connection, call: GitHubCall) {
  const { fetch, timeoutMs, maxRateLimitWaitMs, now } = settings;
  const { route, signal } = call;
  let askedWaitMs: number | null = null;
  const onRefusal = ({ status, headers }: Response) => {
    const answer = { status, headers: Object.fromEntries(headers), message: '' };
    askedWaitMs = findRateLimit(answer, now())?.retryAfterMs ?? null;
  };
  const once = call.impatient === true || !route.startsWith('GET ');
  const bounded = createBoundedFetch({ fetch, timeoutMs, signal, route, onRequest, onRefusal });
  const request: OctokitCallOptions = {
    fetch: authorization.authorize(
      sharing !== null && sharedRoutes.test(route) ? sharing(bounded) : bounded,
      { repository: call.repository ?? undefined, signal },
    ),
    ...(once ? { retries: 0 } : {}),
    ...(call.isRedirected === true ? { redirect: 'manual' } : {}),
    askedWaitMs: () => askedWaitMs,
    maxWaitMs: call.impatient === true ? 0 : maxRateLimitWaitMs,
    ...(signal === undefined ? {} : { signal }),
  };
  const conditional = call.etag == null ? {} : { 'if-none-match': call.etag };
  return { request, headers: { 'x-github-api-version': '2022-11-28', ...conditional } };
}
