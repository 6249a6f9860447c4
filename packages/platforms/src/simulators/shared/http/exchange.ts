import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { DemandedFailure, Failures } from './failures.ts';
import type { Reply } from './reply.ts';

export interface SimulatedRequest {
  readonly method: string;
  /** Path with query. */
  readonly path: string;
  /** 0 while it is under way, and when no answer was sent because the connection was reset. */
  readonly status: number;
  /** Login of the token; null without one. */
  readonly login: string | null;
}

/** One request on its way through a simulator. */
export interface Exchange<Failure extends DemandedFailure> {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly url: URL;
  readonly failure: Failure | null;
}

/** What a simulator says to requests. */
export interface Exchanges<Failure extends DemandedFailure> {
  readonly requests: SimulatedRequest[];
  readonly failures: Failures<Failure>;
  readonly onRequest: (request: SimulatedRequest) => void | Promise<void>;
  /** Ends waits when the simulator closes. */
  readonly closing: AbortSignal;
  readonly loginOf: (incoming: IncomingMessage) => string | null;
  /** The reply, or only its status where it is streamed already. */
  readonly answer: (exchange: Exchange<Failure>) => Promise<Reply | { readonly status: number }>;
  /** Headers of every answer; an answer's own win. */
  readonly commonHeaders: () => Readonly<Record<string, string>>;
}

type Recorded = { -readonly [Key in keyof SimulatedRequest]: SimulatedRequest[Key] };

/** Serves one request from its arrival to its end: recorded, failed on demand, answered. */
export async function serveExchange<Failure extends DemandedFailure>(
  exchanges: Exchanges<Failure>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const { method = 'GET', url: path = '/' } = incoming;
  const url = new URL(path, `http://${incoming.headers.host}`);
  const record: Recorded = { method, path, status: 0, login: exchanges.loginOf(incoming) };
  exchanges.requests.push(record);
  const failure = exchanges.failures.take({ method, path });
  if (failure?.kind === 'reset-connection') return reset(incoming);
  if (failure?.kind === 'slow') {
    await wait(failure.delayMs ?? 1000, undefined, { signal: exchanges.closing });
  }
  const isLost = failure?.kind === 'reset-after-effect';
  const reply = await exchanges.answer({ incoming, outgoing, url, failure });
  if (!isLost) record.status = reply.status;
  await exchanges.onRequest(record);
  if (isLost) return reset(incoming);
  if ('content' in reply) send(exchanges, { incoming, outgoing, reply });
}

function send<Failure extends DemandedFailure>(
  exchanges: Exchanges<Failure>,
  { incoming, outgoing, reply }: Pick<Exchange<Failure>, 'incoming' | 'outgoing'> & { readonly reply: Reply },
): void {
  const { status, headers, content } = reply;
  outgoing.writeHead(status, {
    ...exchanges.commonHeaders(),
    ...headers,
    ...(status === 204 || status === 304 ? {} : { 'content-length': String(content.length) }),
  });
  outgoing.end(incoming.method === 'HEAD' ? undefined : content);
}

function reset(incoming: IncomingMessage): void {
  incoming.socket.resetAndDestroy();
}
