import type { State, Token } from '../state/model.ts';
import { badCredentials } from '../state/refusal.ts';

/**
 * The token that a request carries: `Bearer`, `token`, or as the password of `Basic` with any user name.
 * Null without one.
 * @throws {Refusal} 401 "Bad credentials" for a token that nobody was issued
 * @see https://docs.github.com/rest/authentication/authenticating-to-the-rest-api
 */
export function authenticate(state: State, authorization: string | undefined): Token | null {
  if (!authorization) return null;
  const token = state.tokens.get(readSecret(authorization));
  if (!token) throw badCredentials();
  return token;
}

function readSecret(authorization: string): string {
  const [scheme = '', value = ''] = authorization.trim().split(/\s+/, 2);
  if (/^(bearer|token)$/i.test(scheme)) return value;
  if (!/^basic$/i.test(scheme)) return '';
  const [user = '', ...password] = Buffer.from(value, 'base64').toString('utf8').split(':');
  // git also sends the token as the user name, with `x-oauth-basic` or nothing as the password.
  const secret = password.join(':');
  return secret === '' || secret === 'x-oauth-basic' ? user : secret;
}
