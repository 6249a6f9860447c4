import type { PersonalAccessTokenSchema } from '@gitbeaker/core';
import type { State, Token } from '../state/model.ts';
import { invalidityOf } from '../state/tokens.ts';
import type { Vendor } from '../vendor.ts';

type ShownToken = Vendor<
  PersonalAccessTokenSchema,
  {
    readonly description: string | null;
    readonly last_used_at: null;
    readonly expires_at: string | null;
    readonly access_level?: number;
  },
  'token'
>;

/** A token without its secret. @see https://docs.gitlab.com/api/personal_access_tokens/ */
export function showToken({ now }: State, token: Token): ShownToken {
  const { id, name, revoked, createdAt, scopes, user, expiresAt, home } = token;
  return {
    id,
    name,
    revoked,
    created_at: createdAt,
    description: null,
    scopes: [...scopes],
    user_id: user.id,
    last_used_at: null,
    active: invalidityOf(token, now()) === null,
    expires_at: expiresAt,
    ...(home.kind === 'personal' ? {} : { access_level: home.level }),
  };
}

/** A token with its secret, as it is shown once. */
export function showNewToken(state: State, token: Token): ShownToken & { readonly token: string } {
  return { ...showToken(state, token), token: token.secret };
}
