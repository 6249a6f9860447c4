import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { findRoute } from '../shared/http/address.ts';
import { jsonReply, type Reply } from '../shared/http/reply.ts';
import type { RestRequest } from '../shared/http/rest-request.ts';
import { asApp, authenticate, authenticateApp } from './http/authenticate.ts';
import { mediaTypeHeader } from './http/media-type.ts';
import type { RateResource } from './http/rate-limits.ts';
import { refusalReply } from './http/reply.ts';
import { parseJson } from './http/request-body.ts';
import type { Answer, Route } from './http/route.ts';
import type { Urls } from './http/urls.ts';
import { allRoutes } from './routes/all-routes.ts';
import type { Simulation } from './simulation.ts';
import type { App } from './state/app-model.ts';
import { toTimestamp } from './state/create-state.ts';
import type { Token } from './state/model.ts';
import { forbidden, notFound, Refusal } from './state/refusal.ts';
import { findRepositoryById } from './state/repositories.ts';

export interface GitHubRequest extends RestRequest {
  readonly urls: Urls;
}

/** Answers one request as api.github.com would: who asks, may he, how often, what, and has it changed. */
export async function answerRest(simulation: Simulation, request: GitHubRequest): Promise<Reply> {
  const path = pathByName(simulation, request.path);
  const found = findRoute(allRoutes, { method: request.method, path });
  const docs = found ? `rest/${found.route.docs}` : 'rest';
  const resource = resourceOf(request.path);
  let token: Token | null = null;
  let leave = () => {};
  try {
    checkUserAgent(request.headers);
    const { authorization } = request.headers;
    const app = authenticateApp(simulation.state, authorization);
    token = app ? asApp(app) : authenticate(simulation.state, authorization);
    leave = simulation.limits.enter(token);
    countRequest(simulation, { token, request, resource });
    if (!found) throw notFound();
    const answer = await call(simulation, { request: { ...request, path }, token, app, ...found });
    const reply = toReply(answer);
    const final = isConditional(request, reply, resource) ? conditional(reply, { request, token }) : reply;
    return finish(simulation, { request, token, resource }, final);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return finish(simulation, { request, token, resource }, refusalReply(error, docs));
  } finally {
    leave();
  }
}

interface Asked {
  readonly request: GitHubRequest;
  readonly token: Token | null;
  readonly resource: RateResource;
}

function call(
  { state, git, limits }: Simulation,
  asked: {
    readonly request: GitHubRequest;
    readonly token: Token | null;
    readonly app: App | null;
    readonly route: Route;
    readonly parameters: Record<string, string>;
  },
): Answer | Promise<Answer> {
  const { request, app, route, parameters } = asked;
  if (app && !route.docs.startsWith('apps/')) throw forbidden('Resource not accessible by integration');
  const token = app ? null : asked.token;
  const { text, ...rest } = request;
  const body = request.method === 'GET' ? null : parseJson(text);
  return route.handle({
    ...rest,
    state,
    git,
    limits,
    parameters,
    body,
    token,
    app,
    viewer: token?.user ?? null,
  });
}

function countRequest({ limits }: Simulation, { token, request, resource }: Asked): void {
  const write = !['GET', 'HEAD', 'OPTIONS'].includes(request.method);
  const content =
    request.method === 'POST' && /\/(issues|pulls|comments|reviews|replies)$/.test(request.path);
  limits.countSecondary(token, { write, content });
  if (request.path !== '/rate_limit') limits.checkPrimary(token, resource);
}

function toReply({ status, body, raw, headers = {} }: Answer): Reply {
  if (!raw) return jsonReply(status, body, headers);
  return { status, headers: { ...headers, 'content-type': raw.contentType }, content: raw.content };
}

/** Searches have no ETag. */
function isConditional({ method }: GitHubRequest, { status }: Reply, resource: RateResource): boolean {
  return (method === 'GET' || method === 'HEAD') && status === 200 && resource === 'core';
}

/** A 304 has no body. */
function conditional(reply: Reply, { request, token }: Pick<Asked, 'request' | 'token'>): Reply {
  const tag = entityTag({
    address: `${request.path}?${request.query}`,
    token: token?.secret ?? null,
    accept: mediaTypeHeader(request.headers),
    content: reply.content,
  });
  const headers = {
    ...reply.headers,
    etag: tag,
    'cache-control': `${token ? 'private' : 'public'}, max-age=60, s-maxage=60`,
    vary: 'Accept, Authorization, Cookie, X-GitHub-OTP,Accept-Encoding, Accept, X-Requested-With',
  };
  if (!matchesEntityTag(request.headers['if-none-match'], tag)) return { ...reply, headers };
  const { 'content-type': _, ...kept } = headers as Record<string, string>;
  return { status: 304, headers: kept, content: Buffer.alloc(0) };
}

function finish({ limits }: Simulation, { request, token, resource }: Asked, reply: Reply): Reply {
  // @see https://docs.github.com/rest/using-the-rest-api/best-practices-for-using-the-rest-api#use-conditional-requests-if-appropriate
  const isUnchanged = reply.status === 304 && token !== null;
  const isFree = isUnchanged || reply.status === 401 || request.path === '/rate_limit';
  if (!isFree && limits.status(token, resource).remaining > 0) limits.countPrimary(token, resource);
  const { limit, remaining, used, reset } = limits.status(token, resource);
  return {
    ...reply,
    headers: {
      'x-github-media-type': mediaTypeHeader(request.headers),
      'x-github-api-version-selected': '2022-11-28',
      'x-ratelimit-limit': String(limit),
      'x-ratelimit-remaining': String(remaining),
      'x-ratelimit-used': String(used),
      'x-ratelimit-reset': String(reset),
      'x-ratelimit-resource': resource,
      ...describeToken(token),
      ...reply.headers,
    },
  };
}

/** Scopes are told of classic tokens, the end of those that have one. */
function describeToken(token: Token | null): Record<string, string> {
  if (!token || token.kind === 'installation') return {};
  const end = token.expiresAt && toTimestamp(token.expiresAt).replace('T', ' ').replace('Z', ' UTC');
  return {
    ...(token.kind === 'classic' ? { 'x-oauth-scopes': 'repo' } : {}),
    ...(end ? { 'github-authentication-token-expiration': end } : {}),
  };
}

/** @see https://docs.github.com/rest/using-the-rest-api/getting-started-with-the-rest-api#user-agent */
function checkUserAgent(headers: IncomingHttpHeaders): void {
  if (headers['user-agent']) return;
  const message =
    'Request forbidden by administrative rules. Please make sure your request has a User-Agent header (https://docs.github.com/rest/overview/resources-in-the-rest-api#user-agent-required).';
  throw new Refusal({ status: 403, message });
}

function resourceOf(path: string): RateResource {
  if (path === '/graphql') return 'graphql';
  if (path === '/search/code') return 'code_search';
  return path.startsWith('/search/') ? 'search' : 'core';
}

/** `/repositories/{id}/…` as the links of listings have it, in the form by owner and name. */
function pathByName({ state }: Simulation, path: string): string {
  const [, id, rest = ''] = /^\/repositories\/(\d+)(\/.*)?$/.exec(path) ?? [];
  const repository = id && findRepositoryById(state, Number(id));
  return repository ? `/repos/${repository.owner.login}/${repository.name}${rest}` : path;
}

/**
 * The ETag of an answer. It differs by address, by token and by media type, not only by content, as GitHub's do.
 * @see https://docs.github.com/rest/using-the-rest-api/best-practices-for-using-the-rest-api#use-conditional-requests-if-appropriate
 */
function entityTag(parts: {
  readonly address: string;
  readonly token: string | null;
  readonly accept: string;
  readonly content: string | Buffer;
}): string {
  const hash = createHash('sha256');
  for (const part of [parts.address, parts.token ?? '', parts.accept]) hash.update(part).update('\0');
  return `W/"${hash.update(parts.content).digest('hex')}"`;
}

/** Checks whether If-None-Match names this tag; weak and strong forms are the same to it, quotes belong to it. */
function matchesEntityTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const strong = tag.replace(/^W\//, '');
  const named = ifNoneMatch.split(',').map((part) => part.trim().replace(/^W\//, ''));
  return named.includes(strong) || named.includes('*');
}
