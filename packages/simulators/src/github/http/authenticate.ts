import type { App } from '../state/app-model.ts';
import type { State, Token } from '../state/model.ts';
import { badCredentials, forbidden } from '../state/refusal.ts';
import { isJwt, verifyJwt } from './verify-jwt.ts';

/**
 * The token that a request carries: `Bearer`, `token`, or as the password of `Basic` with any user name.
 * Null without one.
 * @throws {Refusal} 401 "Bad credentials" for a token that nobody was issued, or that has ended; 403 while its installation is
 * suspended
 * @see https://docs.github.com/rest/authentication/authenticating-to-the-rest-api
 */
export function authenticate(state: State, authorization: string | undefined): Token | null {
  if (!authorization) return null;
  const token = state.tokens.get(readSecret(authorization));
  if (!token || (token.expiresAt !== null && token.expiresAt <= state.now())) throw badCredentials();
  if (token.installation?.suspendedAt) throw forbidden('This installation has been suspended');
  return token;
}

/** The app whose signature a request carries; null where it carries none. @throws {Refusal} as `verifyJwt` has it */
export function authenticateApp(state: State, authorization: string | undefined): App | null {
  const secret = authorization ? readSecret(authorization) : '';
  return isJwt(secret) ? verifyJwt(state, secret) : null;
}

/** Whom the requests of an app itself are counted for. */
export function asApp(app: App): Token {
  const none = { issues: 'none', pull_requests: 'none', contents: 'none' } as const;
  return {
    secret: `app ${app.id}`,
    user: app.bot,
    kind: 'installation',
    permissions: { ...none, checks: 'none', statuses: 'none', actions: 'none', workflows: 'none' },
    repositoryIds: new Set(),
    expiresAt: null,
    installation: null,
  };
}

/** The secret that a request carries in its Authorization header; empty for a scheme that GitHub does not know. */
function readSecret(authorization: string): string {
  const [scheme = '', value = ''] = authorization.trim().split(/\s+/, 2);
  if (/^(bearer|token)$/i.test(scheme)) return value;
  if (!/^basic$/i.test(scheme)) return '';
  const [user = '', ...password] = Buffer.from(value, 'base64').toString('utf8').split(':');
  // git also sends the token as the user name, with `x-oauth-basic` or nothing as the password.
  const secret = password.join(':');
  return secret === '' || secret === 'x-oauth-basic' ? user : secret;
}
