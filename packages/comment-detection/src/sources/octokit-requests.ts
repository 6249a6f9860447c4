import type { CallOptions } from '@agent/platforms';
import * as z from 'zod';
import type { SourceComment } from '../comment.ts';
import type { SourceSettings } from './source-options.ts';
import { readAnswer, translateRefusal } from './source-refusal.ts';
import type { ThreadList } from './thread-lists.ts';

/** The part of any Octokit that is called: of `@octokit/core`, `@octokit/rest`, `octokit`, or Actions' `getOctokit`. */
export interface OctokitLike {
  readonly request: {
    // biome-ignore lint/suspicious/noExplicitAny: Octokit's own overloads name each route
    (route: any, parameters?: any): Promise<OctokitAnswer>;
    /** Holds the options that it was made with. */
    readonly endpoint?: { readonly DEFAULTS?: { readonly request?: { readonly fetch?: unknown } } };
  };
}

interface OctokitAnswer {
  readonly data: unknown;
  /** Address that answered, after redirects. */
  readonly url?: string | undefined;
  readonly headers: object;
}

/** One read; without an ETag its answer is never "unchanged". */
export interface OctokitQuestion<Answer> extends CallOptions {
  /** Part that is read, for errors: "The reviews of octo/hello#7". */
  readonly what: string;
  readonly route: string;
  /** Parts of the address; those that the route does not name are left out. */
  readonly parameters: object;
  readonly query?: object | undefined;
  readonly schema: z.ZodType<Answer>;
  /** Asks only for what differs from the answer that had this ETag. */
  readonly etag?: string | null | undefined;
  /** True if 404 and 410 are answers. Default false: they are errors. */
  readonly mayBeGone?: boolean | undefined;
}

/** Answer to a read; `data` is null if there is no such thing and `mayBeGone` is set. */
export type OctokitReading<Answer> =
  | { readonly unchanged: true }
  | { readonly unchanged: false; readonly data: Answer | null; readonly etag: string | null };

/** Reads once over your Octokit: a poll that fails is repeated by the manager. */
export type ReadOctokit = <Answer>(question: OctokitQuestion<Answer>) => Promise<OctokitReading<Answer>>;

/** Creates the reader. */
export function createOctokitReader(octokit: OctokitLike, { now }: SourceSettings): ReadOctokit {
  return async ({ what, route, parameters, query, schema, etag = null, mayBeGone = false, signal }) => {
    const answers = mayBeGone ? [304, 404, 410] : [304];
    const fetch = takeAsAnswers(octokit, answers);
    const request = { ...(signal ? { signal } : {}), fetch, retries: 0 };
    const conditional = etag === null ? {} : { headers: { 'if-none-match': etag } };
    const named = Object.entries(parameters).filter(([name]) => route.includes(`{${name}}`));
    const {
      data,
      headers,
      url = '',
    } = await octokit
      .request(route, { ...Object.fromEntries(named), ...query, ...conditional, request })
      .catch((error: unknown) => {
        throw translateRefusal(error, { what, now });
      });
    requireSameThread(url, { what, route, named });
    const status = statusHeader in headers ? String(headers[statusHeader]) : null;
    if (etag !== null && status === '304') return { unchanged: true };
    if (mayBeGone && status !== null) return { unchanged: false, data: null, etag: null };
    const found = (headers as { readonly etag?: unknown }).etag;
    const next = typeof found === 'string' && found !== '' ? found : null;
    return { unchanged: false, data: readAnswer(data, { what, schema }), etag: next };
  };
}

/**
 * Checks the address that answered. A renamed repository redirects to its id and keeps the rest of the address; a transferred
 * issue redirects to another number in another repository, which counts as not found.
 */
function requireSameThread(
  url: string,
  asked: {
    readonly what: string;
    readonly route: string;
    readonly named: readonly (readonly [string, unknown])[];
  },
): void {
  const [, byId] = (URL.canParse(url) ? new URL(url).pathname : '').split('/repositories/');
  const start = byId?.indexOf('/') ?? -1;
  const redirected = start === -1 ? undefined : byId?.slice(start);
  const [, rest = ''] = asked.route.split('{repo}');
  const expected = asked.named.reduce(
    (path, [name, value]) => path.replace(`{${name}}`, String(value)),
    rest,
  );
  if (redirected === undefined || decodeURIComponent(redirected) === expected) return;
  const message = `${asked.what} could not be read (404): GitHub redirects to another thread. It was probably transferred.`;
  throw Object.assign(new Error(message), { status: 404 });
}

const statusHeader = 'x-agent-status';

/**
 * The fetch of the Octokit, which takes these statuses as answers: Octokit takes them for errors, and `@octokit/rest` logs them as
 * errors.
 */
function takeAsAnswers({ request }: OctokitLike, statuses: readonly number[]): typeof globalThis.fetch {
  const own = request.endpoint?.DEFAULTS?.request?.fetch;
  const send = typeof own === 'function' ? (own as typeof globalThis.fetch) : globalThis.fetch;
  return async (input, init) => {
    const response = await send(input, init);
    if (!statuses.includes(response.status)) return response;
    await response.body?.cancel();
    const headers = { 'content-type': 'application/json', [statusHeader]: String(response.status) };
    return new Response('[]', { headers });
  };
}

/** A thread on GitHub, in words and as parameters of its routes. */
export interface GitHubPlace {
  readonly read: ReadOctokit;
  /** `octo/hello#7` */
  readonly thread: string;
  readonly parameters: object;
  /** Rejects unless the thread is there: a thread that is hidden from the token hides its comments as well. */
  readonly requireThread: (options: CallOptions) => Promise<unknown>;
}

/** A list in words and in HTTP. */
export interface PagedList extends Pick<ThreadList, 'name' | 'idPrefix'> {
  readonly words: string;
  readonly hasSince: boolean;
  readonly route: string;
  /** `{item}` is the id of a comment without its prefix. */
  readonly itemRoute: string;
  /** Null for what is listed and says nothing. */
  readonly item: z.ZodType<SourceComment | null>;
}

const perPage = 100;

/** GitHub's times are whole seconds, and its copies are now and then behind. */
const overlapMs = 60_000;

/** Creates a list that is read page by page. Pages are counted: a gateway may drop the links to them. */
export function createPagedList(place: GitHubPlace, list: PagedList): ThreadList {
  const { read, thread, parameters, requireThread } = place;
  const { name, idPrefix, words, hasSince, route, itemRoute, item } = list;
  const what = `The ${words} of ${thread}`;
  const page = z.array(item);
  let last: {
    readonly since: string | null;
    readonly etag: string;
    readonly comments: readonly SourceComment[];
  } | null = null;
  return {
    name,
    idPrefix,
    read: async (since, { signal }) => {
      const known = last?.since === since ? last : null;
      const comments: SourceComment[] = [];
      let etag: string | null = null;
      for (let number = 1; ; number += 1) {
        const query = { per_page: perPage, page: number, ...(since === null || !hasSince ? {} : { since }) };
        const asked = { what, route, parameters, query, schema: page, signal };
        const answer = await read({ ...asked, etag: number === 1 ? known?.etag : null });
        if (answer.unchanged)
          return {
            comments: since === null ? (known?.comments ?? []) : [],
            unchanged: true,
            cursor: toCursor(known?.comments ?? []),
            keep: () => {},
          };
        const shown = answer.data ?? [];
        comments.push(...shown.filter((one) => one !== null));
        if (number === 1) etag = answer.etag;
        if (shown.length === perPage) continue;
        const found = number === 1 && etag !== null ? { since, etag, comments } : null;
        const keep = () => {
          last = found;
        };
        return { comments, unchanged: false, cursor: toCursor(comments), keep };
      }
    },
    getComment: async (id, options) => {
      const at = { ...parameters, item: id.slice(idPrefix.length) };
      const asked = { what, route: itemRoute, parameters: at, schema: item, ...options };
      const answer = await read({ ...asked, mayBeGone: true });
      if (!answer.unchanged && answer.data !== null) return answer.data;
      await requireThread(options);
      return null;
    },
  };
}

function toCursor(comments: readonly SourceComment[]): string | null {
  const newest = Math.max(
    0,
    ...comments.map(({ updatedAt, createdAt }) => Date.parse(updatedAt ?? createdAt) || 0),
  );
  return newest === 0 ? null : new Date(newest - overlapMs).toISOString();
}
