import type { IncomingMessage, ServerResponse } from 'node:http';
import type { SimulatedFailure, SimulatedRequest } from '../github-simulator.ts';
import type { Simulation } from '../simulation.ts';
import type { Token } from '../state/model.ts';
import { answerRest } from './answer-rest.ts';
import { authenticate } from './authenticate.ts';
import { failureReply } from './failure-answers.ts';
import { askForCredentials, type GitRequest, parseGitRequest } from './git-request.ts';
import { handleGit } from './handle-git.ts';
import { jsonReply, type Reply } from './reply.ts';
import { readText } from './request-body.ts';

interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly url: URL;
  readonly token: Token | null;
  readonly failure: SimulatedFailure | null;
}

type Recorded = { -readonly [Key in keyof SimulatedRequest]: SimulatedRequest[Key] };

/** Serves one request from its arrival to its end: recorded, failed on demand, answered by git or by the REST API. */
export async function handleRequest(
  simulation: Simulation,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const { method = 'GET', url: path = '/' } = incoming;
  const url = new URL(`http://${incoming.headers.host}${path}`);
  const token = findToken(simulation, incoming);
  const record: Recorded = { method, path, status: 0, login: token?.user.login ?? null };
  simulation.requests.push(record);
  const failure = simulation.failures.take({ method, path });
  if (failure?.kind === 'reset-connection') return reset(incoming);
  if (failure?.kind === 'slow') await simulation.sleep(failure.delayMs ?? 1000, simulation.closing);
  const isLost = failure?.kind === 'reset-after-effect';
  const reply = await answer(simulation, { incoming, outgoing, url, token, failure });
  if (!isLost) record.status = reply.status;
  await simulation.onRequest(record);
  if (isLost) return reset(incoming);
  if ('content' in reply) send(simulation, { incoming, outgoing, reply });
}

async function answer(
  simulation: Simulation,
  exchange: Exchange,
): Promise<Reply | { readonly status: number }> {
  const { incoming, outgoing, url, token, failure } = exchange;
  const failed = failure && failureReply(failure, { token, now: simulation.state.now() });
  if (failed) {
    incoming.resume();
    return failed;
  }
  const git = parseGitRequest(url.pathname, url.search.slice(1));
  if (git) return answerGit(simulation, { ...exchange, git });
  const prefix = /^\/api\/v3(?=\/|$)/.exec(url.pathname)?.[0] ?? '';
  try {
    return await answerRest(simulation, {
      method: incoming.method ?? 'GET',
      path: url.pathname.slice(prefix.length) || '/',
      query: url.searchParams,
      headers: incoming.headers,
      text: await readText(incoming),
      urls: { api: url.origin + prefix, web: url.origin },
    });
  } catch (error) {
    // A fault of the simulator's own must not look like a failure that was asked for.
    if (!outgoing.destroyed) return jsonReply(500, { message: `The simulator failed: ${String(error)}` });
    throw error;
  }
}

async function answerGit(simulation: Simulation, exchange: Exchange & { readonly git: GitRequest }) {
  const { incoming, outgoing, token, git, failure } = exchange;
  if (!token && incoming.headers.authorization) return askForCredentials();
  const delivery = failure?.kind === 'reset-after-effect' ? 'discard' : 'stream';
  const reply = await handleGit(simulation, { request: git, incoming, outgoing, token, delivery });
  if ('content' in reply) incoming.resume();
  return reply;
}

function findToken({ state }: Simulation, incoming: IncomingMessage): Token | null {
  try {
    return authenticate(state, incoming.headers.authorization);
  } catch {
    return null;
  }
}

function send(
  { state, requests }: Simulation,
  { incoming, outgoing, reply }: Pick<Exchange, 'incoming' | 'outgoing'> & { readonly reply: Reply },
): void {
  const { status, headers, content } = reply;
  outgoing.writeHead(status, {
    date: new Date(state.now()).toUTCString(),
    server: 'github.com',
    'x-github-request-id': requestId(requests.length, state.now()),
    'x-content-type-options': 'nosniff',
    ...headers,
    ...(status === 204 || status === 304 ? {} : { 'content-length': String(content.length) }),
  });
  outgoing.end(incoming.method === 'HEAD' ? undefined : content);
}

function reset(incoming: IncomingMessage): void {
  incoming.socket.resetAndDestroy();
}

function requestId(served: number, now: number): string {
  const parts = [0x7f000001, served, now % 0xffffffff];
  return parts.map((part) => part.toString(16).toUpperCase().padStart(4, '0')).join(':');
}
