import { z } from 'zod';
import type { CallOptions, Comment } from '../comment.ts';
import type { SourceSettings } from './source-options.ts';
import { isGone, readAnswer, translateRefusal } from './source-refusal.ts';
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
  readonly headers: object;
}

/** One read; without an ETag its answer is never "unchanged". */
export interface OctokitQuestion<Answer> extends CallOptions {
  /** Part that is read, for errors: "The reviews of octo/hello#7". */
  readonly what: string;
  readonly route: string;
  readonly parameters: object;
  readonly schema: z.ZodType<Answer>;
  /** Asks only for what differs from the answer that had this ETag. */
  readonly etag?: string | null | undefined;
}

/** Answer to a read. */
export type OctokitReading<Answer> =
  | { readonly unchanged: true }
  | { readonly unchanged: false; readonly data: Answer; readonly etag: string | null };

/** Reads once over your Octokit: a poll that fails is repeated by the manager. */
export type ReadOctokit = <Answer>(question: OctokitQuestion<Answer>) => Promise<OctokitReading<Answer>>;

/** Creates the reader. */
export function createOctokitReader(octokit: OctokitLike, { now }: SourceSettings): ReadOctokit {
  const send = fetchUnchanged(octokit);
  return async ({ what, route, parameters, schema, etag = null, signal }) => {
    const request = { ...(signal ? { signal } : {}), fetch: send, retries: 0 };
    const conditional = etag === null ? {} : { headers: { 'if-none-match': etag } };
    const { data, headers } = await octokit
      .request(route, { ...parameters, ...conditional, request })
      .catch((error: unknown) => {
        throw translateRefusal(error, { what, now });
      });
    if (etag !== null && unchangedHeader in headers) return { unchanged: true };
    const found = (headers as { readonly etag?: unknown }).etag;
    const next = typeof found === 'string' && found !== '' ? found : null;
    return { unchanged: false, data: readAnswer(data, { what, schema }), etag: next };
  };
}

const unchangedHeader = 'x-agent-unchanged';

/** The fetch of the Octokit, but that "not modified" is an answer: Octokit takes it for an error, and `@octokit/rest` logs it as one. */
function fetchUnchanged({ request }: OctokitLike): typeof globalThis.fetch {
  const own = request.endpoint?.DEFAULTS?.request?.fetch;
  const send = typeof own === 'function' ? (own as typeof globalThis.fetch) : globalThis.fetch;
  return async (input, init) => {
    const response = await send(input, init);
    if (response.status !== 304) return response;
    return new Response('[]', {
      headers: { 'content-type': 'application/json', [unchangedHeader]: 'true' },
    });
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
  readonly item: z.ZodType<Comment | null>;
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
    readonly comments: readonly Comment[];
  } | null = null;
  return {
    name,
    idPrefix,
    read: async (since, { signal }) => {
      const known = last?.since === since ? last : null;
      const comments: Comment[] = [];
      let etag: string | null = null;
      for (let number = 1; ; number += 1) {
        const query = { per_page: perPage, page: number, ...(since === null || !hasSince ? {} : { since }) };
        const asked = { what, route, parameters: { ...parameters, ...query }, schema: page, signal };
        const answer = await read({ ...asked, etag: number === 1 ? known?.etag : null });
        if (answer.unchanged)
          return {
            comments: since === null ? (known?.comments ?? []) : [],
            unchanged: true,
            cursor: toCursor(known?.comments ?? []),
            keep: () => {},
          };
        comments.push(...answer.data.filter((one) => one !== null));
        if (number === 1) etag = answer.etag;
        if (answer.data.length === perPage) continue;
        const found = number === 1 && etag !== null ? { since, etag, comments } : null;
        const keep = () => {
          last = found;
        };
        return { comments, unchanged: false, cursor: toCursor(comments), keep };
      }
    },
    getComment: async (id, options) => {
      const at = { ...parameters, item: id.slice(idPrefix.length) };
      try {
        const answer = await read({ what, route: itemRoute, parameters: at, schema: item, ...options });
        return answer.unchanged ? null : answer.data;
      } catch (error) {
        if (!isGone(error)) throw error;
        await requireThread(options);
        return null;
      }
    },
  };
}

function toCursor(comments: readonly Comment[]): string | null {
  const newest = Math.max(
    0,
    ...comments.map(({ updatedAt, createdAt }) => Date.parse(updatedAt ?? createdAt) || 0),
  );
  return newest === 0 ? null : new Date(newest - overlapMs).toISOString();
}
