import type { IncomingMessage, ServerResponse } from 'node:http';
import type { DemandedFailure, Failures } from './failures.ts';
import type { Reply } from './reply.ts';

export interface SimulatedRequest {
  readonly method: string;
  /** Path with query. */
  readonly path: string;
  /** 0 while it is under way, and when no answer was sent because the connection was reset. */
  readonly status: number;
  /** Login (on GitLab: username) of the token; null without one. */
  readonly login: string | null;
}

/** One request on its way through a simulator. */
export interface Exchange<Failure extends DemandedFailure> {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly url: URL;
  readonly failure: Failure | null;
}

/** The traffic of a simulator: what was asked, what shall fail, and how time passes. */
export interface Traffic<Failure extends DemandedFailure> {
  readonly requests: SimulatedRequest[];
  readonly failures: Failures<Failure>;
  readonly onRequest: (request: SimulatedRequest) => void | Promise<void>;
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Ends waits when the simulator closes. */
  readonly closing: AbortSignal;
}

/** What a simulator says to requests. */
export interface Answering<Failure extends DemandedFailure> {
  readonly loginOf: (incoming: IncomingMessage) => string | null;
  /** The reply, or only its status where it is streamed already. */
  readonly answer: (exchange: Exchange<Failure>) => Promise<Reply | { readonly status: number }>;
  /** Headers of every answer; an answer's own win. */
  readonly commonHeaders: () => Readonly<Record<string, string>>;
}

type Recorded = { -readonly [Key in keyof SimulatedRequest]: SimulatedRequest[Key] };

/** Serves one request from its arrival to its end: recorded, failed on demand, answered. */
export async function serveExchange<Failure extends DemandedFailure>(
  simulation: Traffic<Failure> & Answering<Failure>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const { method = 'GET', url: path = '/' } = incoming;
  const url = new URL(`http://${incoming.headers.host}${path}`);
  const record: Recorded = { method, path, status: 0, login: simulation.loginOf(incoming) };
  simulation.requests.push(record);
  const failure = simulation.failures.take({ method, path });
  if (failure?.kind === 'reset-connection') return reset(incoming);
  if (failure?.kind === 'slow') await simulation.sleep(failure.delayMs ?? 1000, simulation.closing);
  const isLost = failure?.kind === 'reset-after-effect';
  const reply = await simulation.answer({ incoming, outgoing, url, failure });
  if (!isLost) record.status = reply.status;
  await simulation.onRequest(record);
  if (isLost) return reset(incoming);
  if ('content' in reply) send({ incoming, outgoing }, reply, simulation.commonHeaders());
}

function send(
  { incoming, outgoing }: { readonly incoming: IncomingMessage; readonly outgoing: ServerResponse },
  { status, headers, content }: Reply,
  commonHeaders: Readonly<Record<string, string>>,
): void {
  outgoing.writeHead(status, {
    ...commonHeaders,
    ...headers,
    ...(status === 204 || status === 304 ? {} : { 'content-length': String(content.length) }),
  });
  outgoing.end(incoming.method === 'HEAD' ? undefined : content);
}

function reset(incoming: IncomingMessage): void {
  incoming.socket.resetAndDestroy();
}
