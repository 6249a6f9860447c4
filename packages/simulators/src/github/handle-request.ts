import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Exchange, type Streamed, serveExchange } from '../shared/http/exchange.ts';
import {
  badGatewayReply,
  changeReply,
  cloudflareReply,
  jsonReply,
  malformedReply,
  type Reply,
} from '../shared/http/reply.ts';
import { readRestRequest } from '../shared/http/rest-request.ts';
import { answerRest } from './answer-rest.ts';
import type { SimulatedFailure } from './github-simulator.ts';
import { answerUpload, isUploadPath } from './http/answer-upload.ts';
import { authenticate } from './http/authenticate.ts';
import { askForCredentials, type GitRequest, handleGit, parseGitRequest } from './http/handle-git.ts';
import { primaryRefusal, secondaryRefusal } from './http/rate-limits.ts';
import { refusalReply } from './http/reply.ts';
import type { Simulation } from './simulation.ts';
import type { Token } from './state/model.ts';
import { badCredentials, readOnly, ssoRequired, threadIsLocked, tooQuick } from './state/refusal.ts';

/** Serves one request: recorded, failed on demand, answered by git or by the REST API. */
export function handleRequest(
  simulation: Simulation,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  return serveExchange(
    {
      ...simulation,
      loginOf: (request) => findToken(simulation, request)?.user.login ?? null,
      failureReply: (failure, request) =>
        failureReply(failure, { token: findToken(simulation, request), now: simulation.state.now() }),
      changeReply: (failure, reply) =>
        changeReply(reply, { failure, now: simulation.state.now(), cursor: 'after' }),
      answer: (exchange) => answer(simulation, exchange),
      commonHeaders: () => commonHeaders(simulation),
    },
    incoming,
    outgoing,
  );
}

async function answer(simulation: Simulation, exchange: Exchange<SimulatedFailure>): Promise<Streamed> {
  const { incoming, url } = exchange;
  const git = parseGitRequest(url.pathname, url.search.slice(1));
  if (git) return answerGit(simulation, { ...exchange, token: findToken(simulation, incoming), git });
  if (isUploadPath(url.pathname)) {
    const { authorization } = incoming.headers;
    return answerUpload(simulation.state, { url, token: findToken(simulation, incoming), authorization });
  }
  const prefix = /^\/api(?:\/v3(?=\/|$)|(?=\/graphql$))/.exec(url.pathname)?.[0] ?? '';
  const urls = { api: url.origin + prefix, web: url.origin };
  return answerRest(simulation, { ...(await readRestRequest(exchange, prefix)), urls });
}

async function answerGit(
  simulation: Simulation,
  exchange: Exchange<SimulatedFailure> & { readonly token: Token | null; readonly git: GitRequest },
): Promise<Streamed> {
  const { incoming, outgoing, token, git, failure } = exchange;
  if (!token && incoming.headers.authorization) return askForCredentials();
  const delivery = failure?.kind === 'reset-after-effect' ? 'discard' : 'stream';
  return handleGit(simulation, { request: git, incoming, outgoing, token, delivery });
}

function findToken({ state }: Simulation, incoming: IncomingMessage): Token | null {
  try {
    return authenticate(state, incoming.headers.authorization);
  } catch {
    return null;
  }
}

function commonHeaders({ state, requests }: Simulation): Record<string, string> {
  return {
    date: new Date(state.now()).toUTCString(),
    server: 'github.com',
    'x-github-request-id': requestId(requests.length, state.now()),
    'x-content-type-options': 'nosniff',
  };
}

function requestId(served: number, now: number): string {
  const parts = [0x7f000001, served, now % 0xffffffff];
  return parts.map((part) => part.toString(16).toUpperCase().padStart(4, '0')).join(':');
}

/** Makes what a client gets instead of an answer; null when the request is to be answered after all. */
function failureReply(
  failure: SimulatedFailure,
  context: { readonly token: Token | null; readonly now: number },
): Reply | null {
  const retryAfterSeconds = failure.retryAfterSeconds ?? 60;
  switch (failure.kind) {
    case 'server-error':
      return jsonReply(500, { message: 'Server Error' });
    case 'bad-gateway-html':
      return badGatewayReply();
    case 'malformed-json':
      return malformedReply();
    case 'refused':
      return jsonReply(failure.status ?? 403, { message: 'Refused on demand' });
    case 'unauthorized':
      return refusalReply(badCredentials(), 'rest');
    case 'cloudflare-1015':
      return cloudflareReply(failure);
    case 'archived':
      return refusalReply(readOnly(), 'rest');
    case 'locked':
      return refusalReply(threadIsLocked(), 'rest');
    case 'sso-required':
      return refusalReply(ssoRequired(), 'rest');
    case 'submitted-too-quickly':
      return refusalReply(tooQuick(), 'rest');
    case 'primary-limit':
      return primaryLimitReply(failure, { ...context, retryAfterSeconds });
    case 'secondary-limit':
      return refusalReply(
        secondaryRefusal({
          status: failure.status === 429 ? 429 : 403,
          retryAfterMs: retryAfterSeconds * 1000,
        }),
        'rest/using-the-rest-api/rate-limits-for-the-rest-api#about-secondary-rate-limits',
      );
    default:
      return null;
  }
}

function primaryLimitReply(
  failure: SimulatedFailure,
  context: { readonly token: Token | null; readonly now: number; readonly retryAfterSeconds: number },
): Reply {
  const reply = refusalReply(
    primaryRefusal(context.token),
    'rest/using-the-rest-api/rate-limits-for-the-rest-api',
  );
  const reset = Math.ceil(context.now / 1000) + context.retryAfterSeconds;
  return {
    ...reply,
    status: failure.status ?? reply.status,
    headers: {
      ...reply.headers,
      'x-ratelimit-limit': '5000',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-used': '5000',
      'x-ratelimit-reset': String(reset),
      'x-ratelimit-resource': 'core',
    },
  };
}
