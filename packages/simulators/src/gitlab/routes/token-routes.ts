import { z } from 'zod';
import { inputOf } from '../http/input.ts';
import { type Answer, type Call, noContent, ok, parameter, type Route, route } from '../http/route.ts';
import type { Token } from '../state/model.ts';
import { findProject } from '../state/projects.ts';
import { refuse, unauthorized } from '../state/refusal.ts';
import { rotateToken } from '../state/tokens.ts';
import { showNewToken, showToken } from '../views/token-view.ts';

/**
 * The token that asks, whichever kind it is. Making and listing tokens is the owners' business, on their pages.
 * @see https://docs.gitlab.com/api/personal_access_tokens/
 * @see https://docs.gitlab.com/api/group_access_tokens/
 */
export const tokenRoutes: readonly Route[] = [
  route('GET /personal_access_tokens/self', (call) => ok(showToken(call.state, tokenOf(call)))),
  route('DELETE /personal_access_tokens/self', revokeSelf),
  route('POST /personal_access_tokens/self/rotate', (call) => rotate(call, 'personal')),
  route('POST /projects/{id}/access_tokens/self/rotate', (call) => rotate(call, 'project')),
  route('POST /groups/{id}/access_tokens/self/rotate', (call) => rotate(call, 'group')),
];

const rotation = z.object({ expires_at: z.iso.date().optional() });

function revokeSelf(call: Call): Answer {
  tokenOf(call).revoked = true;
  return noContent();
}

/** @throws {Refusal} 405 for a token of another kind, 401 for one of another place */
function rotate(call: Call, kind: Token['home']['kind']): Answer {
  const token = tokenOf(call);
  const { home } = token;
  if (home.kind !== kind) throw refuse(405, '405 Method Not Allowed');
  const place = parameter(call, 'id');
  if (home.kind === 'project' && findProject(call.state, place) !== home.project) throw unauthorized();
  if (home.kind === 'group' && place.toLowerCase() !== home.path) throw unauthorized();
  const { expires_at: expiresAt } = inputOf(call, rotation);
  return ok(showNewToken(call.state, rotateToken(call.state, token, expiresAt)));
}

function tokenOf(call: Call): Token {
  if (!call.token) throw unauthorized();
  return call.token;
}
