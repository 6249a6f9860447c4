import type { ExpandedUserSchema, SimpleUserSchema } from '@gitbeaker/core';
import type { State, User } from '../state/model.ts';
import { shownUser } from '../state/users.ts';
import type { Vendor } from '../vendor.ts';

type BasicUser = Vendor<SimpleUserSchema, { readonly avatar_url: null; readonly locked: boolean }>;

/** Source of the names and the addresses that a view shows. */
export interface Place {
  readonly state: State;
  /** Base of the pages, without a slash at its end. */
  readonly web: string;
}

/** An account where it is the author of something; a deleted one is the ghost. */
export function showUser({ state, web }: Place, user: User): Omit<BasicUser, 'created_at'> {
  const { id, name, username } = shownUser(state, user);
  return {
    id,
    name,
    username,
    state: 'active',
    locked: false,
    avatar_url: null,
    web_url: `${web}/${username}`,
  };
}

type CurrentUser = Vendor<
  Pick<
    ExpandedUserSchema,
    | 'id'
    | 'username'
    | 'name'
    | 'state'
    | 'web_url'
    | 'created_at'
    | 'bot'
    | 'email'
    | 'is_admin'
    | 'external'
  >,
  { readonly avatar_url: null; readonly locked: boolean; readonly public_email: null; readonly bio: string }
>;

/** An account as it shows itself to its own token. */
export function showCurrentUser(place: Place, user: User): CurrentUser {
  return {
    ...showUser(place, user),
    created_at: user.createdAt,
    bot: user.bot,
    email: `${user.username}@example.org`,
    public_email: null,
    bio: '',
    is_admin: false,
    external: false,
  };
}
