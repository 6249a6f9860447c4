import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Exchange, type Streamed, serveExchange } from '../../shared/http/exchange.ts';
import { textReply } from '../../shared/http/reply.ts';
import { readRestRequest } from '../../shared/http/rest-request.ts';
import { parseGitRequest } from '../git-access/git-request.ts';
import { handleGit } from '../git-access/handle-git.ts';
import type { SimulatedGitLabFailure } from '../gitlab-simulator.ts';
import type { Simulation } from '../simulation.ts';
import { answerRest } from './answer-rest.ts';
import { authenticate, authenticateGit } from './authenticate.ts';
import { failureReply } from './failure-replies.ts';

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
