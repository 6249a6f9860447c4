import { findRoute } from '../../shared/http/address.ts';
import { jsonReply, type Reply } from '../../shared/http/reply.ts';
import type { RestRequest } from '../../shared/http/rest-request.ts';
import { allRoutes } from '../routes/all-routes.ts';
import type { Simulation } from '../simulation.ts';
import type { Token } from '../state/model.ts';
import { Refusal } from '../state/refusal.ts';
import { authenticate, checkScope } from './authenticate.ts';
import { refusalReply } from './failure-replies.ts';
import { readInput } from './input.ts';
import type { Answer } from './route.ts';

export interface GitLabRequest extends RestRequest {
  readonly web: string;
}

/** Answers one request to the API: who asks, how often, may he, and what. */
export async function answerRest(simulation: Simulation, request: GitLabRequest): Promise<Reply> {
  const { state, git, limits } = simulation;
  const { text, ...rest } = request;
  let token: Token | null = null;
  try {
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
