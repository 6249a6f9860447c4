import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, ListenOptions } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type { Effect } from './fault.ts';
import { type FaultDesk, toSeen } from './fault-desk.ts';
import type { ProxiedRequest } from './route.ts';
import { type Answer, createStaleAnswers, type StaleAnswers } from './stale-answers.ts';

export interface ProxyOptions {
  readonly desk: FaultDesk;
  /** Where it listens, too: a socket in the file system. Default null, nowhere. */
  readonly socket?: string | null;
}

export interface FaultProxy {
  readonly url: string;
  readonly close: () => Promise<void>;
}

const reset: Effect = { kind: 'reset', side: 'before' };

interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly request: ProxiedRequest;
  readonly content: Buffer;
}

interface Proxying {
  readonly upstream: string;
  readonly desk: FaultDesk;
  readonly earlier: StaleAnswers;
}

/** Stands before a server, lets everything through, and does to a request what the desk says. */
export async function startFaultProxy(
  upstream: string,
  { desk, socket = null }: ProxyOptions,
): Promise<FaultProxy> {
  const proxying = { upstream, desk, earlier: createStaleAnswers() };
  const listen = async (at: ListenOptions): Promise<Server> => {
    const server = createServer((incoming, outgoing) => {
      serve({ incoming, outgoing }, proxying).catch(() => outgoing.destroy());
    });
    server.listen(at);
    await once(server, 'listening');
    return server;
  };
  const server = await listen({ port: 0, host: '127.0.0.1' });
  const servers = [server, ...(socket === null ? [] : [await listen({ path: socket })])];
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      const closed = servers.map((one) => once(one, 'close'));
      for (const one of servers) {
        one.close();
        one.closeAllConnections();
      }
      await Promise.all(closed);
    },
  };
}

async function serve(
  { incoming, outgoing }: Pick<Exchange, 'incoming' | 'outgoing'>,
  proxying: Proxying,
): Promise<void> {
  const at = Date.now();
  const content = await buffer(incoming);
  const path = decodeURIComponent(incoming.url ?? '/');
  const request = { method: incoming.method ?? 'GET', path, body: content.toString() };
  const { desk } = proxying;
  const isAwaited = await desk.meet(request, 'before');
  const effects = isAwaited ? desk.take(request) : [reset];
  const answer = await answerWith({ incoming, outgoing, request, content }, { ...proxying, effects });
  desk.record(toSeen(request, { status: answer?.status ?? 0, at, fault: effects[0]?.kind ?? null }));
  if (answer === null) return void incoming.socket.resetAndDestroy();
  const isCut = effects.some(({ kind }) => kind === 'truncated');
  if (!isCut) return send(outgoing, { ...answer, method: request.method });
  outgoing.writeHead(answer.status, {
    ...bare(answer.headers),
    'content-length': String(answer.body.length),
  });
  outgoing.write(answer.body.subarray(0, Math.floor(answer.body.length / 2)), () =>
    incoming.socket.destroy(),
  );
}

function send(outgoing: ServerResponse, answer: Answer & { readonly method: string }): void {
  outgoing.writeHead(answer.status, bare(answer.headers));
  outgoing.end(answer.method === 'HEAD' || answer.status === 304 ? undefined : answer.body);
}

/** The answer; null where the connection is to be reset. */
async function answerWith(
  exchange: Exchange,
  { effects, ...proxying }: Proxying & { readonly effects: readonly Effect[] },
): Promise<Answer | null> {
  const { desk, earlier } = proxying;
  const { request, incoming } = exchange;
  for (const effect of effects) if (effect.kind === 'slow') await delay(effect.ms);
  for (const effect of effects) {
    if (effect.kind === 'reset' && effect.side === 'before') return null;
    if (effect.kind === 'status' && effect.side === 'before') return refuse(effect);
    if (effect.kind === 'swallowed') return plain(200, effect.body);
    if (effect.kind === 'unchanged' && incoming.headers['if-none-match'] !== undefined) return plain(304, '');
  }
  const moved = effects.find(({ kind }) => kind === 'redirected');
  const to = moved?.kind === 'redirected' ? moved.to(incoming.url ?? '/') : (incoming.url ?? '/');
  let answer = await forward(exchange, new URL(to, proxying.upstream));
  const isAnswered = await desk.meet(request, 'after');
  const fresh = answer;
  for (const effect of effects) {
    if (effect.kind === 'reset') return null;
    if (effect.kind === 'status') answer = refuse(effect);
    if (effect.kind === 'stale') answer = earlier.recall(request, { answer, youngMs: effect.youngMs });
    if (effect.kind === 'rewritten')
      answer = { ...answer, body: Buffer.from(effect.rewrite(answer.body.toString(), request)) };
  }
  earlier.keep(request, fresh);
  return isAnswered ? answer : null;
}

function refuse({ status, headers = {} }: Extract<Effect, { kind: 'status' }>): Answer {
  const message = `the proxy says ${status}`;
  return plain(status, JSON.stringify({ message, error: message }), headers);
}

function plain(status: number, body: string, headers: Readonly<Record<string, string>> = {}): Answer {
  const type = { 'content-type': 'application/json; charset=utf-8' };
  return { status, headers: { ...(body === '' ? {} : type), ...headers }, body: Buffer.from(body) };
}

/** The `host` of the client stays, so that the addresses in the answers lead back here. */
async function forward({ incoming, content, request: { method } }: Exchange, to: URL): Promise<Answer> {
  const headers = bare(incoming.headers);
  const length = { 'content-length': String(content.length) };
  const options = {
    method,
    headers: content.length === 0 ? headers : { ...headers, ...length },
    agent: false,
  };
  const outgoing = request(to, options);
  outgoing.end(content);
  const [reply] = (await once(outgoing, 'response')) as [IncomingMessage];
  return { status: reply.statusCode ?? 502, headers: reply.headers, body: await buffer(reply) };
}

function bare(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const { 'content-length': _, 'transfer-encoding': __, connection: ___, ...rest } = headers;
  return rest;
}
