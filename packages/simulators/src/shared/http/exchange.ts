import type { IncomingMessage, ServerResponse } from 'node:http';
import type { DemandedFailure, Failures } from './failures.ts';
import { jsonReply, type Reply } from './reply.ts';

/** A request as it came in. */
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

/** A reply, or the status of one that is sent already. */
export type Streamed = Reply | { readonly status: number };

/** Answers of a simulator to requests. */
export interface Answering<Failure extends DemandedFailure> {
  readonly loginOf: (incoming: IncomingMessage) => string | null;
  /** The reply to a failure that was asked for; null when the request is to be answered after all. */
  readonly failureReply: (failure: Failure, incoming: IncomingMessage) => Reply | null;
  /** Changes an answer on its way to the client, for the failures that do so. */
  readonly changeReply: (failure: Failure, reply: Reply) => Reply;
  /** The reply, or only its status where it is streamed already. */
  readonly answer: (exchange: Exchange<Failure>) => Promise<Streamed>;
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
  const reply = await answer(simulation, { incoming, outgoing, url, failure });
  if (!isLost) record.status = reply.status;
  await simulation.onRequest(record);
  if (isLost) return reset(incoming);
  if ('content' in reply) send({ incoming, outgoing }, reply);
}

async function answer<Failure extends DemandedFailure>(
  simulation: Answering<Failure>,
  exchange: Exchange<Failure>,
): Promise<Streamed> {
  const { incoming, outgoing, failure } = exchange;
  const failed = failure && simulation.failureReply(failure, incoming);
  try {
    const reply = failed ?? (await simulation.answer(exchange));
    if (!('content' in reply)) return reply;
    // What nobody read of the request must not keep the connection from its next one.
    incoming.resume();
    const whole = { ...reply, headers: { ...simulation.commonHeaders(), ...reply.headers } };
    return failure === null ? whole : simulation.changeReply(failure, whole);
  } catch (error) {
    // A fault of the simulator's own must not look like a failure that was asked for.
    if (!outgoing.headersSent && !outgoing.destroyed) {
      return jsonReply(500, { message: `The simulator failed: ${String(error)}` });
    }
    throw error;
  }
}

function send(
  { incoming, outgoing }: { readonly incoming: IncomingMessage; readonly outgoing: ServerResponse },
  { status, headers, content }: Reply,
): void {
  outgoing.sendDate = false;
  outgoing.writeHead(status, {
    ...headers,
    ...(status === 204 || status === 304 ? {} : { 'content-length': String(content.length) }),
  });
  outgoing.end(incoming.method === 'HEAD' ? undefined : content);
}

function reset(incoming: IncomingMessage): void {
  incoming.socket.resetAndDestroy();
}
