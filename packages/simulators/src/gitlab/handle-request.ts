import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { findRoute } from '../shared/http/address.ts';
import { type Exchange, type Streamed, serveExchange } from '../shared/http/exchange.ts';
import {
  badGatewayReply,
  changeReply,
  cloudflareReply,
  jsonReply,
  malformedReply,
  type Reply,
  textReply,
} from '../shared/http/reply.ts';
import { type RestRequest, readRestRequest } from '../shared/http/rest-request.ts';
import { handleGit, parseGitRequest } from './git-access/handle-git.ts';
import type { SimulatedGitLabFailure } from './gitlab-simulator.ts';
import { readInput } from './http/input.ts';
import { tooManyRequests, tooManyTimes } from './http/rate-limits.ts';
import type { Answer } from './http/route.ts';
import { allRoutes } from './routes/all-routes.ts';
import type { Simulation } from './simulation.ts';
import type { State, Token } from './state/model.ts';
import { forbidden, insufficientScope, invalidToken, Refusal, unauthorized } from './state/refusal.ts';
import { invalidityOf, revokeFamily } from './state/tokens.ts';

/** Serves one request: recorded, failed on demand, answered by git or by the REST API. */
export function handleRequest(
  simulation: Simulation,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  return serveExchange(
    {
      ...simulation,
      loginOf: (request) => usernameOf(simulation, request),
      failureReply: (failure) => failureReply(failure, simulation.state.now()),
      changeReply: (failure, reply) =>
        changeReply(reply, { failure, now: simulation.state.now(), cursor: 'cursor' }),
      answer: (exchange) => answer(simulation, exchange),
      commonHeaders: () => commonHeaders(simulation),
    },
    incoming,
    outgoing,
  );
}

async function answer(simulation: Simulation, exchange: Exchange<SimulatedGitLabFailure>): Promise<Streamed> {
  const { incoming, url } = exchange;
  const { root, state } = simulation;
  if (!url.pathname.startsWith(`${root}/`)) return textReply(404, 'Not found\n');
  const path = url.pathname.slice(root.length);
  const git = parseGitRequest(path, url.search.slice(1));
  if (git) {
    const token = authenticateGit(state, incoming.headers.authorization);
    return handleGit(simulation, { ...exchange, git, token });
  }
  if (!path.startsWith('/api/v4/')) return textReply(404, 'Not found\n');
  const web = url.origin + root;
  return answerRest(simulation, { ...(await readRestRequest(exchange, `${root}/api/v4`)), web });
}

/** Username of a request's token; null for none that is good. */
function usernameOf({ state }: Simulation, { headers, url = '/' }: IncomingMessage): string | null {
  try {
    const { searchParams } = new URL(url, 'http://127.0.0.1');
    const token = authenticate(state, headers, searchParams) ?? authenticateGit(state, headers.authorization);
    return token?.user.username ?? null;
  } catch {
    return null;
  }
}

function commonHeaders({ state, requests }: Simulation): Record<string, string> {
  return {
    date: new Date(state.now()).toUTCString(),
    server: 'nginx',
    'cache-control': 'max-age=0, private, must-revalidate',
    'x-content-type-options': 'nosniff',
    'x-request-id': `01${requests.length.toString(32).toUpperCase().padStart(24, '0')}`,
    vary: 'Origin',
  };
}

interface GitLabRequest extends RestRequest {
  readonly web: string;
}

/** Answers one request to the API: who asks, how often, may he, and what. */
async function answerRest(simulation: Simulation, request: GitLabRequest): Promise<Reply> {
  const { state, git, limits } = simulation;
  const { text, ...rest } = request;
  let token: Token | null = null;
  try {
    detectReuse(state, request);
    token = authenticate(state, request.headers, request.query);
    limits.countRequest(token);
    const found = findRoute(allRoutes, request);
    if (!found) throw new Refusal(404, { error: '404 Not Found' });
    if (token) checkScope(token, request);
    const { route, parameters } = found;
    const type = request.headers['content-type'] ?? 'application/x-www-form-urlencoded';
    const input = readInput(request.query, { text, type });
    const viewer = token?.user ?? null;
    const answer = await route.handle({ ...rest, state, git, limits, parameters, input, token, viewer });
    return withLimits(toReply(answer), limits.headers(token));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return withLimits(refusalReply(error), limits.headers(token));
  }
}

function toReply({ status, body, raw, headers = {} }: Answer): Reply {
  if (!raw) return jsonReply(status, body, headers);
  return { status, headers, content: raw };
}

function withLimits(reply: Reply, limits: Readonly<Record<string, string>>): Reply {
  return { ...reply, headers: { ...limits, ...reply.headers } };
}

/**
 * The token that a request to the API carries: `PRIVATE-TOKEN`, `Authorization: Bearer`, or `private_token` in the query.
 * Null without one.
 * @throws {Refusal} 401 for a token that nobody was issued or that was taken back
 * @see https://docs.gitlab.com/api/rest/authentication/
 */
function authenticate(state: State, headers: IncomingHttpHeaders, query: URLSearchParams): Token | null {
  const secret = secretOf(headers, query);
  if (!secret) return null;
  const token = state.tokens.get(secret);
  if (!token) throw unauthorized();
  const reason = invalidityOf(token, state.now());
  if (reason) throw invalidToken(reason);
  return token;
}

function secretOf(headers: IncomingHttpHeaders, query: URLSearchParams): string | null {
  const [, bearer] = /^bearer\s+(\S+)$/i.exec(headers.authorization ?? '') ?? [];
  const header = headers['private-token'];
  return (Array.isArray(header) ? header[0] : header) ?? bearer ?? query.get('private_token');
}

/**
 * Revokes the family of a token that is rotated once more after it was revoked.
 * @see https://docs.gitlab.com/api/personal_access_tokens/#automatic-reuse-detection
 */
function detectReuse(state: State, request: Pick<RestRequest, 'path' | 'headers' | 'query'>): void {
  const token = state.tokens.get(secretOf(request.headers, request.query) ?? '');
  if (token?.revoked && request.path.endsWith('/self/rotate')) revokeFamily(state, token);
}

/** The token that git sends as the password of whatever user; null without one or with one that is not good. */
function authenticateGit(state: State, authorization: string | undefined): Token | null {
  const [, value = ''] = /^basic\s+(\S+)$/i.exec(authorization ?? '') ?? [];
  const [, ...password] = Buffer.from(value, 'base64').toString('utf8').split(':');
  const token = state.tokens.get(password.join(':'));
  return token && !invalidityOf(token, state.now()) ? token : null;
}

/** Refuses what a token's scopes do not reach. @throws {Refusal} 403 */
function checkScope(token: Token, request: { readonly method: string; readonly path: string }): void {
  const { scopes } = token;
  if (scopes.has('api') || request.path === '/personal_access_tokens/self') return;
  if (scopes.has('self_rotate') && request.path.endsWith('/self/rotate')) return;
  const isReading = request.method === 'GET' || request.method === 'HEAD';
  if (isReading && scopes.has('read_api')) return;
  if (isReading && scopes.has('read_user') && /^\/users?(\/|$)/.test(request.path)) return;
  const readsFiles = /^\/projects\/[^/]+\/repository\/files\//.test(request.path);
  if (isReading && scopes.has('read_repository') && readsFiles) return;
  throw insufficientScope(isReading ? 'api read_api' : 'api');
}

/** Makes what a client gets instead of an answer; null when the request is to be answered after all. */
function failureReply(failure: SimulatedGitLabFailure, now: number): Reply | null {
  const { retryAfterSeconds = 60 } = failure;
  switch (failure.kind) {
    case 'server-error':
      return jsonReply(500, { message: '500 Internal Server Error' });
    case 'bad-gateway-html':
      return badGatewayReply();
    case 'malformed-json':
      return malformedReply();
    case 'refused':
      return jsonReply(failure.status ?? 403, { message: 'Refused on demand' });
    case 'cloudflare-1015':
      return cloudflareReply(failure);
    // https://github.com/python-gitlab/python-gitlab/issues/2325
    case 'resource-lock':
      return jsonReply(409, { message: '409 Conflict: Resource lock' });
    case 'unauthorized':
      return refusalReply(unauthorized());
    case 'forbidden':
      return refusalReply(forbidden());
    case 'rate-limit':
      return refusalReply(tooManyRequests({ now, retryAfterSeconds }));
    case 'endpoint-limit':
      return refusalReply(tooManyTimes());
    default:
      return null;
  }
}

/** A refusal on the wire: JSON, or plain text where GitLab answers so. */
function refusalReply({ status, body, headers }: Refusal): Reply {
  return typeof body === 'string' ? textReply(status, body, headers) : jsonReply(status, body, headers);
}
