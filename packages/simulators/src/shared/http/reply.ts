import type { DemandedFailure } from './failures.ts';

/** An answer as it goes over the wire. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly content: Buffer;
}

/** A reply in JSON; `body` undefined is one without a body. */
export function jsonReply(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  if (body === undefined) return { status, headers, content: Buffer.alloc(0) };
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    content: Buffer.from(JSON.stringify(body)),
  };
}

/** A reply in plain text. */
export function textReply(
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return { status, headers: { 'content-type': 'text/plain', ...headers }, content: Buffer.from(text) };
}

/** Answers as a proxy does when the server behind it does not. */
export function badGatewayReply(): Reply {
  return {
    status: 502,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    content: Buffer.from(
      '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>\n',
    ),
  };
}

/** JSON that ends too early. */
export function malformedReply(): Reply {
  return {
    status: 200,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    content: Buffer.from('{"id":1,"body":"cut off in the mid'),
  };
}

/** Refuses as the network before GitLab.com and Discord does. @see https://github.com/discord/discord-api-docs/issues/5385 */
export function cloudflareReply({ retryAfterSeconds }: DemandedFailure): Reply {
  const retryAfter = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
  return {
    status: 429,
    headers: { 'content-type': 'text/plain; charset=UTF-8', server: 'cloudflare', ...retryAfter },
    content: Buffer.from('error code: 1015'),
  };
}

interface ListChange {
  readonly failure: DemandedFailure;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Name of the parameter in which a link has its cursor. */
  readonly cursor: string;
}

/** Changes a page of a list on its way to the client, for the failures that do so. */
export function changeReply(reply: Reply, { failure, now, cursor }: ListChange): Reply {
  if (failure.kind === 'headers-dropped') return { ...reply, headers: withoutExtras(reply.headers) };
  if (failure.kind === 'headers-rewritten') return { ...reply, headers: rewriteHeaders(reply.headers, now) };
  if (reply.status !== 200) return reply;
  const { link, ...others } = reply.headers;
  switch (failure.kind) {
    // https://github.com/softprops/hubcaps/issues/213 and proxies that pass on known headers only
    case 'link-missing':
      return { ...reply, headers: withoutPages(others) };
    // https://github.com/renovatebot/renovate/issues/19817, https://github.com/python-gitlab/python-gitlab/issues/1254
    case 'link-foreign':
      if (link === undefined) return reply;
      return { ...reply, headers: { ...others, link: toOtherHost(link) } };
    // https://github.com/google/go-github/issues/3565, https://docs.gitlab.com/api/rest/#keyset-based-pagination
    case 'keyset-links':
      if (link === undefined) return reply;
      return { ...reply, headers: { ...withoutPages(others), link: withCursors(link, cursor) } };
    case 'lag':
      return withoutYoung(reply, now - (failure.delayMs ?? 60_000));
    default:
      return reply;
  }
}

/**
 * Results that a client gets through a gateway that passes on known headers only, from a server whose rate limits are off.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-known-issues.html
 * @see https://github.com/jupyterhub/binderhub/issues/984
 */
function withoutExtras(headers: Reply['headers']): Reply['headers'] {
  const dropped = /^(?:link|etag|last-modified|date|retry-after|x-.*(?:page|total)|(?:x-)?ratelimit-.*)$/;
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !dropped.test(name)));
}

/**
 * Links as behind a proxy that does not know them; an ETag as Apache's mod_deflate makes it, which the server does not
 * know again; Date under another name; Retry-After as a time instead of seconds.
 *
 * @see https://github.com/renovatebot/renovate/issues/19817
 * @see https://bz.apache.org/bugzilla/show_bug.cgi?id=45023
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-known-issues.html
 * @see https://www.rfc-editor.org/rfc/rfc9110#name-retry-after
 */
function rewriteHeaders({ date = '', ...headers }: Reply['headers'], now: number): Reply['headers'] {
  const { link, etag, 'retry-after': seconds } = headers;
  return {
    ...headers,
    'x-amzn-remapped-date': date,
    ...(link === undefined ? {} : { link: toOtherHost(link) }),
    ...(etag === undefined ? {} : { etag: etag.replace(/"$/, '-gzip"') }),
    ...(seconds === undefined ? {} : { 'retry-after': new Date(now + Number(seconds) * 1000).toUTCString() }),
  };
}

function toOtherHost(link: string): string {
  return link.replace(/<https?:\/\/[^/]+/g, `<${otherHost}`);
}

const otherHost = 'https://git.internal.example';

/** GitLab counts pages in headers of its own as well. */
function withoutPages(headers: Reply['headers']): Reply['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !/^x-.*(?:page|total)/.test(name)));
}

/** With a cursor there is no last page. */
function withCursors(link: string, cursor: string): string {
  return link
    .split(', ')
    .filter((one) => !one.endsWith('rel="last"'))
    .map((one) =>
      one.replace(/<([^>]*)>/, (_, address: string) => {
        const url = new URL(address);
        const page = url.searchParams.get('page');
        url.searchParams.delete('page');
        if (page !== null) url.searchParams.set(cursor, toCursor(page));
        return `<${url.href}>`;
      }),
    )
    .join(', ');
}

function toCursor(page: string): string {
  return Buffer.from(`page:${page}`).toString('base64url');
}

/** Reads the number of a page from a cursor of this simulator; null for any other text. */
export function readCursor(cursor: string | null): string | null {
  const [, page] = /^page:(\d+)$/.exec(Buffer.from(cursor ?? '', 'base64url').toString()) ?? [];
  return page ?? null;
}

/** @see https://github.com/octokit/octokit.js/issues/900, https://github.com/dennisreimann/ioctocat/issues/182 */
function withoutYoung(reply: Reply, since: number): Reply {
  const { etag: _, ...headers } = reply.headers;
  const isOld = (item: unknown) => {
    const { created_at: created } = (item ?? {}) as { readonly created_at?: unknown };
    return typeof created !== 'string' || Date.parse(created) <= since;
  };
  const body: unknown = JSON.parse(reply.content.toString());
  if (Array.isArray(body)) return jsonReply(200, body.filter(isOld), headers);
  const { items } = (body ?? {}) as { readonly items?: unknown };
  if (!Array.isArray(items)) return reply;
  return jsonReply(200, { ...(body as object), items: items.filter(isOld) }, headers);
}

/**
 * Body of LM Studio's refusal while no model is loaded.
 *
 * @see https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/1347
 */
export function toLostModel(kind: 'unloaded' | 'crashed'): string {
  const crash = 'The model has crashed without additional information. (Exit code: 6)';
  return JSON.stringify({ error: kind === 'unloaded' ? 'Model unloaded.' : crash });
}
