import * as z from 'zod';
import { type Authorization, createAuthorization } from '../http/authorization.ts';
import { createLimitMemory, type LimitMemory, namesTime } from '../http/limit-memory.ts';
import { createPace, type Pace } from '../http/rate-limits.ts';
import { untilAborted } from '../http/time-limit.ts';
import { type Operation, parseAnswer, translateError } from '../http/translate-error.ts';
import type { RequestRecord } from '../model.ts';
import type { GitLabSettings } from './gitlab-options.ts';
import { createGitLabRequester, gitLabService } from './gitlab-requester.ts';

/** Options that a resource of gitbeaker is made with for one call: `new Issues(bound)`. */
export interface BoundConnection {
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
  readonly send: (bound: BoundConnection, page: PageQuery) => Promise<unknown>;
  /** Neither repeated nor kept waiting: the caller has its own way of coming back. Writes are never repeated. */
  readonly impatient?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** An answer that has passed its schema. */
export interface GitLabAnswer<Data> {
  readonly data: Data;
  /** Asks for the next page; null at the end. */
  readonly next: PageQuery | null;
  /** Number of the last page; null where GitLab does not count them. */
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
    const { body, link } = await send(connection, call, page);
    const data = parseAnswer(body, toExpectation(call, z.array(item)));
    return { data, next: findNextQuery(link, page), lastPage: findLastPage(link) };
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

async function send(connection: Connection, call: GitLabCall, page: PageQuery) {
  const { settings, authorization, limits, ...rest } = connection;
  const { route, signal, impatient = false } = call;
  signal?.throwIfAborted();
  let link: string | null = null;
  const onLink = (received: string | null) => {
    link = received;
  };
  const asked = { ...rest, settings, authorization, route, impatient, signal, onLink };
  const requesterFn = createGitLabRequester(asked);
  const { baseUrl, timeoutMs, now } = settings;
  // gitbeaker wants a token of its own; the authorization puts the one of the moment in its place.
  const bound = { host: baseUrl, token: '', requesterFn, queryTimeout: null, rateLimits: {} };
  const counted = { resource: 'all', isWrite: !route.startsWith('GET ') };
  try {
    await limits.enter({ ...counted, maxWaitMs: impatient ? 0 : settings.maxRateLimitWaitMs, signal });
    await authorization.prepare({ signal });
    return { body: await untilAborted(call.send(bound, page), signal), link };
  } catch (error) {
    signal?.throwIfAborted();
    const operation = { permission: 'scope api', ...call, service: gitLabService };
    const { redact } = authorization;
    const refusal = translateError(error, { ...operation, baseUrl, timeoutMs, redact, now: now() });
    if (namesTime(error)) limits.note(counted, refusal);
    throw refusal;
  }
}

/** Which page of a list is asked for: by number, or by the token that a keyset list gave. */
export interface PageQuery {
  readonly perPage: number;
  readonly page?: number;
  readonly pageToken?: string;
}

/**
 * Finds the query of the page in `Link: <…>; rel="next"`; null at the last one. Only the page is taken from the address, so
 * the request goes where the first one went, whatever the server calls itself.
 *
 * @see https://docs.gitlab.com/api/rest/#pagination
 */
export function findNextQuery(link: string | null, { perPage }: PageQuery): PageQuery | null {
  const query = findQuery(link, /<([^<>]+)>;\s*rel="?next"?/u);
  if (query === null) return null;
  const pageToken = query.get('page_token');
  if (pageToken !== null) return { perPage, pageToken };
  const page = Number(query.get('page'));
  return Number.isSafeInteger(page) && page > 1 ? { perPage, page } : null;
}

/** The number of the last page; null in keyset lists and above 10,000 entries, where GitLab leaves it out. */
export function findLastPage(link: string | null): number | null {
  const page = Number(findQuery(link, /<([^<>]+)>;\s*rel="?last"?/u)?.get('page'));
  return Number.isSafeInteger(page) && page > 0 ? page : null;
}

function findQuery(link: string | null, pattern: RegExp): URLSearchParams | null {
  const address = pattern.exec(link ?? '')?.[1];
  return address === undefined ? null : new URL(address, 'http://any.invalid').searchParams;
}
