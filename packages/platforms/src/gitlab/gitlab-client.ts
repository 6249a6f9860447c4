import { untilAborted } from '@agent/text/waiting';
import * as z from 'zod';
import { type Authorization, createAuthorization } from '../http/authorization.ts';
import { createLimitMemory, type LimitMemory, namesTime } from '../http/limit-memory.ts';
import { loadPeer } from '../http/load-peer.ts';
import { findNextPage, parseLinkHeader } from '../http/page-links.ts';
import { createPace, type Pace } from '../http/rate-limits.ts';
import { type Operation, parseAnswer, translateError } from '../http/translate-error.ts';
import type { RequestRecord } from '../model.ts';
import type { GitLabSettings } from './gitlab-options.ts';
import { createGitLabRequester, gitLabService, type PagePlace } from './gitlab-requester.ts';

/** Options that a resource of gitbeaker is made with for one call: `new bound.gitbeaker.Issues(bound)`. */
export interface BoundConnection {
  readonly gitbeaker: typeof import('@gitbeaker/rest');
  readonly host: string;
  readonly token: string;
  readonly requesterFn: ReturnType<typeof createGitLabRequester>;
  readonly queryTimeout: null;
  readonly rateLimits: Record<string, never>;
}

/** One question to GitLab, in words and as gitbeaker puts it. */
export interface GitLabCall extends Omit<Operation, 'permission'> {
  /** The right that is missing where the answer is 403 or 404; default `scope api`, which covers all that is asked here. */
  readonly permission?: string;
  /** `GET /projects/{id}/issues`, placeholders unfilled. */
  readonly route: string;
  /** Makes one request, by a resource that is bound to this call; lists pass the page on. */
  readonly send: (bound: BoundConnection, page: Pick<PageQuery, 'page' | 'perPage'>) => Promise<unknown>;
  /** Neither repeated nor kept waiting: the caller has its own way of coming back. Writes are never repeated. */
  readonly impatient?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** An answer that has passed its schema. */
export interface GitLabAnswer<Data> {
  readonly data: Data;
  /** Asks for the next page; null at the end. */
  readonly next: PageQuery | null;
  /** Number of the last page; null in keyset lists and above 10,000 items, where GitLab leaves it out. */
  readonly lastPage: number | null;
}

/** Asks GitLab in the ways that the ports need. */
export interface GitLabClient {
  /** @throws PlatformError, or the signal's reason */
  readonly ask: <Schema extends z.ZodType>(call: GitLabCall, schema: Schema) => Promise<z.output<Schema>>;
  /** One page of a list, the first by default. */
  readonly askPage: <Schema extends z.ZodType>(
    call: GitLabCall & { readonly page?: PageQuery },
    item: Schema,
  ) => Promise<GitLabAnswer<z.output<Schema>[]>>;
  /** The items of all pages. */
  readonly askAll: <Schema extends z.ZodType>(call: GitLabCall, item: Schema) => Promise<z.output<Schema>[]>;
  /** The same client, telling this callback of every request. */
  readonly recordingTo: (onRequest: ((record: RequestRecord) => void) | undefined) => GitLabClient;
}

/** Asks GitLab: bounded in time, translated errors, answers checked by schema. */
export function createGitLabClient(settings: GitLabSettings): GitLabClient {
  const pace = createPace({ ...settings, service: gitLabService.name });
  const authorization = createAuthorization(settings.credential, (token) => ['private-token', token]);
  const limits = createLimitMemory(settings);
  return toClient({ settings, pace, limits, authorization, onRequest: settings.onRequest });
}

interface Connection {
  readonly settings: GitLabSettings;
  readonly pace: Pace;
  readonly limits: LimitMemory;
  readonly authorization: Authorization;
  readonly onRequest: (record: RequestRecord) => void;
}

const firstPage: PageQuery = { page: 1, perPage: 100 };

function toClient(connection: Connection): GitLabClient {
  const askPage: GitLabClient['askPage'] = async ({ page = firstPage, ...call }, item) => {
    const { body, place } = await send(connection, call, page);
    const data = parseAnswer(body, toExpectation(call, z.array(item)));
    return { data, ...findNeighbors(place, { page, count: data.length }) };
  };
  return {
    ask: async (call, schema) => {
      const { body } = await send(connection, call, firstPage);
      return parseAnswer(body, toExpectation(call, schema));
    },
    askPage,
    askAll: async (call, item) => {
      const items: z.output<typeof item>[] = [];
      for (let page: PageQuery | null = firstPage; page !== null; ) {
        const answer: GitLabAnswer<z.output<typeof item>[]> = await askPage({ ...call, page }, item);
        items.push(...answer.data);
        page = answer.next;
      }
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

function toExpectation<Schema extends z.ZodType>({ doing }: GitLabCall, schema: Schema) {
  return { schema, doing, service: gitLabService.name };
}

async function loadGitbeaker() {
  const load = async () => ({
    gitbeaker: await import('@gitbeaker/rest'),
    requesterUtils: await import('@gitbeaker/requester-utils'),
  });
  return loadPeer(load, {
    entry: '@agent/platforms/gitlab',
    packages: ['@gitbeaker/rest', '@gitbeaker/requester-utils'],
  });
}

async function send(connection: Connection, call: GitLabCall, asked: PageQuery) {
  const { query = null, ...page } = asked;
  const { settings, authorization, limits, ...rest } = connection;
  const { route, signal, impatient = false } = call;
  signal?.throwIfAborted();
  const { gitbeaker, requesterUtils } = await loadGitbeaker();
  let place: PagePlace | null = null;
  const onPlace = (received: PagePlace) => {
    place = received;
  };
  const request = { ...rest, settings, authorization, route, impatient, signal, query, onPlace };
  const requesterFn = createGitLabRequester(request, requesterUtils);
  const { baseUrl, timeoutMs, now } = settings;
  // gitbeaker wants a token of its own; the authorization puts the one of the moment in its place.
  const bound = { gitbeaker, host: baseUrl, token: '', requesterFn, queryTimeout: null, rateLimits: {} };
  const counted = { resource: 'all', isWrite: !route.startsWith('GET ') };
  try {
    await limits.enter({ ...counted, maxWaitMs: impatient ? 0 : settings.maxRateLimitWaitMs, signal });
    await authorization.prepare({ signal });
    return { body: await untilAborted(call.send(bound, page), signal), place: place as PagePlace | null };
  } catch (error) {
    signal?.throwIfAborted();
    const operation = { permission: 'scope api', ...call, service: gitLabService };
    const { redact } = authorization;
    const refusal = translateError(error, { ...operation, baseUrl, timeoutMs, redact, now: now() });
    if (namesTime(error)) limits.note(counted, refusal);
    throw refusal;
  }
}

/** Which page of a list is asked for. */
export interface PageQuery {
  readonly perPage: number;
  /** Place of the page in the list, from 1. */
  readonly page: number;
  /** Query of a page that an earlier answer led to. */
  readonly query?: URLSearchParams;
}

/**
 * Finds the next page and the number of the last one. Only the query is taken from an address, so the request goes
 * where the first one went, whatever the server calls itself.
 *
 * @see https://docs.gitlab.com/api/rest/#pagination
 */
function findNeighbors(
  place: PagePlace | null,
  { page, count }: { readonly page: PageQuery; readonly count: number },
): Omit<GitLabAnswer<never>, 'data'> {
  if (place === null) return { next: null, lastPage: null };
  const { query, link, total, totalPages, nextPage } = place;
  const service = gitLabService.name;
  const addresses = parseLinkHeader(link, service);
  const toUrl = (relation: string) => {
    const address = addresses.get(relation);
    return address === undefined ? null : new URL(address, 'http://any.invalid');
  };
  // Without the page that an answer states, any other sign of a list that ends: a link, or a total.
  const stated = nextPage ?? (link === null && total === null ? null : 0);
  const next = findNextPage(toUrl('next'), { service, query, number: page.page, count, total, stated });
  const last = Number(toUrl('last')?.searchParams.get('page'));
  return {
    next: next === null ? null : { perPage: page.perPage, page: page.page + 1, query: next },
    lastPage: Number.isSafeInteger(last) && last > 0 ? last : totalPages,
  };
}
