import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Delivery, serveGit } from '../../shared/git/http-backend.ts';
import type { Streamed } from '../../shared/http/exchange.ts';
import { syncAfterPush } from '../pulls/sync-pulls.ts';
import type { Simulation } from '../simulation.ts';
import type { Token } from '../state/model.ts';
import { fullName } from '../state/repositories.ts';
import { authorizeGit, type GitRequest } from './git-request.ts';

export interface GitExchange {
  readonly request: GitRequest;
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly token: Token | null;
  readonly delivery: Delivery;
}

/** Serves a git request; a reply is returned where git itself is not even asked. A push brings pull requests up to date. */
export async function handleGit(simulation: Simulation, exchange: GitExchange): Promise<Streamed> {
  const { request, incoming, outgoing, token, delivery } = exchange;
  const allowed = authorizeGit(simulation, request, token);
  if ('status' in allowed) return allowed;
  const path = `/${fullName(allowed)}.git${request.service}`;
  const status = await serveGit(simulation.git, {
    request: { path, query: request.query, login: token?.user.login ?? null },
    incoming,
    outgoing,
    delivery,
    beforeEnd: async () => {
      if (request.service === '/git-receive-pack' && token)
        await syncAfterPush(simulation, allowed, token.user);
    },
  });
  return { status };
}
