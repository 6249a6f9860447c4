import type { IncomingHttpHeaders } from 'node:http';
import type { State, Token } from '../state/model.ts';
import { insufficientScope, invalidToken, unauthorized } from '../state/refusal.ts';

/**
 * The token that a request to the API carries: `PRIVATE-TOKEN`, `Authorization: Bearer`, or `private_token` in the query.
 * Null without one.
 * @throws {Refusal} 401 for a token that nobody was issued or that was taken back
 * @see https://docs.gitlab.com/api/rest/authentication/
 */
export function authenticate(
  state: State,
  headers: IncomingHttpHeaders,
  query: URLSearchParams,
): Token | null {
  const [, bearer] = /^bearer\s+(\S+)$/i.exec(headers.authorization ?? '') ?? [];
  const secret = headers['private-token'] ?? bearer ?? query.get('private_token');
  if (!secret) return null;
  const token = state.tokens.get(String(secret));
  if (!token) throw unauthorized();
  if (token.invalid) throw invalidToken(token.invalid);
  return token;
}

/** The token that git sends as the password of whatever user; null without one or with one that is not good. */
export function authenticateGit(state: State, authorization: string | undefined): Token | null {
  const [, value = ''] = /^basic\s+(\S+)$/i.exec(authorization ?? '') ?? [];
  const [, ...password] = Buffer.from(value, 'base64').toString('utf8').split(':');
  const token = state.tokens.get(password.join(':'));
  return token && !token.invalid ? token : null;
}

/** Refuses what a token's scopes do not reach. @throws {Refusal} 403 */
export function checkScope(token: Token, request: { readonly method: string; readonly path: string }): void {
  const { scopes } = token;
  if (scopes.has('api')) return;
  const isReading = request.method === 'GET' || request.method === 'HEAD';
  if (isReading && scopes.has('read_api')) return;
  if (isReading && scopes.has('read_user') && /^\/users?(\/|$)/.test(request.path)) return;
  const readsFiles = /^\/projects\/[^/]+\/repository\/files\//.test(request.path);
  if (isReading && scopes.has('read_repository') && readsFiles) return;
  throw insufficientScope(isReading ? 'api read_api' : 'api');
}
