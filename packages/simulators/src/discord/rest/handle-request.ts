import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { World } from '../state/world.ts';
import { type FoundRoute, findRoute } from './all-routes.ts';
import type { Demand, Demands } from './demands.ts';
import type { DiscordRequest } from './discord-request.ts';
import { Refusal } from './refusal.ts';
import { answer, type RouteAnswer } from './route.ts';

export interface RestSide {
  readonly world: World;
  readonly token: string;
  readonly gatewayUrl: () => string;
  readonly demands: Demands;
  readonly requests: DiscordRequest[];
  readonly changed: () => void;
}

interface HttpAnswer extends RouteAnswer {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent instead of the body. */
  readonly text?: string;
}

/** Answers one request, and keeps what it was. */
export async function handleRequest(
  side: RestSide,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const { method = 'GET' } = incoming;
  const url = new URL(incoming.url ?? '/', 'http://127.0.0.1');
  const file = side.world.files.get(url.pathname);
  if (file !== undefined) return void outgoing.writeHead(200, { 'content-type': file.type }).end(file.bytes);
  const path = url.pathname.replace(/^\/api\/v10/, '');
  const body = parseJson(await text(incoming));
  const found = findRoute(method, path);
  const request = {
    method,
    route: found?.route ?? null,
    path,
    query: Object.fromEntries(url.searchParams),
    body,
    at: side.world.now(),
    status: null as number | null,
  };
  side.requests.push(request);
  side.changed();
  const isKnown = incoming.headers.authorization === `Bot ${side.token}` && !side.demands.takeTokenRefusal();
  const reply = isKnown
    ? await answerFound(side, found, { query: url.searchParams, body })
    : answer(401, { message: '401: Unauthorized', code: 0 });
  request.status = reply.status;
  send(outgoing, reply);
  side.changed();
}

function parseJson(written: string): unknown {
  if (written === '') return undefined;
  try {
    return JSON.parse(written);
  } catch {
    return written;
  }
}

async function answerFound(
  side: RestSide,
  found: FoundRoute | null,
  asked: { readonly query: URLSearchParams; readonly body: unknown },
): Promise<HttpAnswer> {
  if (found === null) return answer(404, { message: '404: Not Found', code: 0 });
  const demand = side.demands.take(found.route);
  if (demand?.kind === 'fail') {
    if (demand.isDone) answerRoute(side, found, asked);
    return answer(demand.status, { message: demand.message, code: demand.code });
  }
  if (demand?.kind === 'limit') return limited(demand);
  const wait = async (moment: 'before' | 'after') => {
    if (demand?.moment === moment) await demand.wait();
  };
  await wait('before');
  const reply = answerRoute(side, found, asked);
  await wait('after');
  return { ...reply, headers: toBucket(found.route) };
}

/** Headers of a route whose limit is never reached. @see https://docs.discord.com/developers/topics/rate-limits#header-format */
function toBucket(route: string): Readonly<Record<string, string>> {
  return {
    'x-ratelimit-bucket': createHash('sha256').update(route).digest('hex').slice(0, 32),
    'x-ratelimit-limit': '5',
    'x-ratelimit-remaining': '4',
    'x-ratelimit-reset': ((Date.now() + 1_000) / 1_000).toFixed(3),
    'x-ratelimit-reset-after': '1.000',
  };
}

function answerRoute(
  { world, gatewayUrl }: RestSide,
  { handler, parameters }: FoundRoute,
  asked: { readonly query: URLSearchParams; readonly body: unknown },
): RouteAnswer {
  try {
    return handler({ world, parameters, gatewayUrl: gatewayUrl(), ...asked });
  } catch (error) {
    if (!(error instanceof Refusal)) return answer(500, { message: String(error), code: 0 });
    const { status, code, message, errors } = error;
    return answer(status, { message, code, ...(errors === null ? {} : { errors }) });
  }
}

/** @see https://docs.discord.com/developers/topics/rate-limits */
function limited(demand: Extract<Demand, { kind: 'limit' }>): HttpAnswer {
  const { retryAfterMs, bodyRetryAfterMs, code, isGlobal } = demand;
  if (demand.isCloudflare) return blocked(retryAfterMs);
  const body = {
    message: 'You are being rate limited.',
    ...(bodyRetryAfterMs === null ? {} : { retry_after: bodyRetryAfterMs / 1000 }),
    global: isGlobal,
    ...(code === 0 ? {} : { code }),
  };
  if (retryAfterMs === null) return answer(429, body);
  const seconds = retryAfterMs / 1000;
  return {
    ...answer(429, body),
    headers: {
      'retry-after': String(seconds),
      'x-ratelimit-scope': isGlobal ? 'global' : 'user',
      ...(isGlobal
        ? { 'x-ratelimit-global': 'true' }
        : {
            'x-ratelimit-bucket': 'simulated',
            'x-ratelimit-limit': '5',
            'x-ratelimit-remaining': '0',
            'x-ratelimit-reset-after': String(seconds),
          }),
    },
  };
}

/** The time stands in the header alone. @see https://github.com/Javacord/Javacord/pull/704 */
function blocked(retryAfterMs: number | null): HttpAnswer {
  const time = retryAfterMs === null ? {} : { 'retry-after': String(Math.ceil(retryAfterMs / 1000)) };
  const headers = { 'content-type': 'text/plain; charset=UTF-8', server: 'cloudflare', ...time };
  return { ...answer(429), headers, text: 'error code: 1015' };
}

function send(outgoing: ServerResponse, { status, body, headers = {}, text }: HttpAnswer): void {
  const content = text ?? (body === null ? undefined : JSON.stringify(body));
  outgoing.writeHead(
    status,
    content === undefined ? headers : { 'content-type': 'application/json', ...headers },
  );
  outgoing.end(content);
}
