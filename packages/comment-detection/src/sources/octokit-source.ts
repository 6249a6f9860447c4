import { z } from 'zod';
import type { CallOptions, Comment, CommentListing, CommentSource } from '../comment.ts';
import { isGone, type SourceOptions, translateRefusal } from './source-refusal.ts';

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

/** An issue or pull request on GitHub. */
export interface GitHubThread {
  readonly owner: string;
  readonly repo: string;
  readonly number: number;
}

const commentSchema = z.object({
  id: z.number(),
  user: z.object({ id: z.number(), login: z.string(), type: z.string().nullish() }).nullish(),
  body: z.string().nullish(),
  created_at: z.string(),
  updated_at: z.string().nullish(),
  html_url: z.string().nullish(),
  minimized: z.object({ reason: z.string().nullish() }).nullish(),
});
type CommentJson = z.infer<typeof commentSchema>;

const perPage = 100;
const listRoute = 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments';

/** GitHub's times are whole seconds, and its copies are now and then behind. */
const overlapMs = 60_000;

/** Creates the source of a thread over anybody's Octokit, with its conditional requests: an unchanged thread costs nothing of the limit. */
export function createOctokitSource(
  octokit: OctokitLike,
  { thread, now = Date.now }: SourceOptions & { readonly thread: GitHubThread },
): CommentSource {
  const { owner, repo, number } = thread;
  const place = { owner, repo, issue_number: number };
  let last: { readonly since: string | null; readonly etag: string; readonly cursor: string | null } | null =
    null;
  const send = fetchUnchanged(octokit);
  const ask = (route: string, parameters: object, { signal }: CallOptions) =>
    octokit
      .request(route, { ...parameters, request: { ...(signal ? { signal } : {}), fetch: send, retries: 0 } })
      .catch((error) => {
        throw translateRefusal(error, { thread: `${owner}/${repo}#${number}`, now });
      });
  const list = async (since: string | null, options: CallOptions): Promise<CommentListing> => {
    const known = last?.since === since ? last : null;
    const comments: Comment[] = [];
    let etag: string | null = null;
    for (let page = 1; ; page += 1) {
      const conditional = page === 1 && known !== null ? { headers: { 'if-none-match': known.etag } } : {};
      const query = {
        ...place,
        per_page: perPage,
        page,
        ...(since === null ? {} : { since }),
        ...conditional,
      };
      const { data, headers } = await ask(listRoute, query, options);
      if (known !== null && unchangedHeader in headers)
        return { comments: [], complete: since === null, cursor: known.cursor, unchanged: true };
      const shown = z.array(commentSchema).parse(data);
      comments.push(...shown.filter((one) => !isHidden(one)).map(toComment));
      if (page === 1) etag = toText((headers as { readonly etag?: unknown }).etag);
      if (shown.length === perPage) continue;
      const cursor = toCursor(comments) ?? since;
      last = page === 1 && etag !== null ? { since, etag, cursor } : null;
      return { comments, complete: since === null, cursor, unchanged: false };
    }
  };
  return {
    listComments: ({ since, signal }) => list(since, { signal }),
    getComment: async (id, options) => {
      try {
        const route = 'GET /repos/{owner}/{repo}/issues/comments/{comment_id}';
        const { data } = await ask(route, { owner, repo, comment_id: Number(id) }, options);
        const comment = commentSchema.parse(data);
        return isHidden(comment) ? null : toComment(comment);
      } catch (error) {
        if (!isGone(error)) throw error;
        // A thread that is hidden from us hides its comments, too.
        await ask('GET /repos/{owner}/{repo}/issues/{issue_number}', place, options);
        return null;
      }
    },
  };
}

/** A comment that a maintainer has hidden as spam, abuse or off-topic counts as deleted. */
function isHidden({ minimized }: CommentJson): boolean {
  return /^(?:spam|abuse|off[-_ ]?topic)$/iu.test(minimized?.reason ?? '');
}

function toComment({ id, user, body, created_at, updated_at, html_url }: CommentJson): Comment {
  return {
    id: String(id),
    author: user
      ? { id: String(user.id), login: user.login, kind: user.type === 'Bot' ? 'bot' : 'person' }
      : null,
    body: body ?? '',
    createdAt: created_at,
    updatedAt: updated_at ?? null,
    url: html_url ?? null,
  };
}

function toCursor(comments: readonly Comment[]): string | null {
  const newest = Math.max(
    0,
    ...comments.map(({ updatedAt, createdAt }) => Date.parse(updatedAt ?? createdAt) || 0),
  );
  return newest === 0 ? null : new Date(newest - overlapMs).toISOString();
}

function toText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
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
