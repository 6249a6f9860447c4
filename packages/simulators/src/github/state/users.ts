import type { SimulatedTokenSeed, SimulatedUserSeed } from '../seeds.ts';
import { takeId, timestamp } from './create-state.ts';
import type { State, Token, User } from './model.ts';
import { seededRepository } from './repositories.ts';

/** Signs a user, a bot or an organization up. Logins are unique without regard to case. */
export function addUser(state: State, seed: SimulatedUserSeed): User {
  const key = seed.login.toLowerCase();
  if (state.users.has(key)) throw new Error(`The simulator already has a user "${seed.login}".`);
  const user: User = {
    id: takeId(state),
    login: seed.login,
    name: seed.name ?? null,
    type: seed.type ?? 'User',
    createdAt: timestamp(state),
    deletedAs: null,
  };
  state.users.set(key, user);
  return user;
}

/** The user of this login, whatever its case; undefined when there is none or it was deleted. */
export function findUser(state: State, login: string): User | undefined {
  const user = state.users.get(login.toLowerCase());
  return user?.deletedAs ? undefined : user;
}

/** The user of this login, for seeds. @throws when nobody signed up by that name. */
export function seededUser(state: State, login: string): User {
  const user = findUser(state, login);
  if (!user)
    throw new Error(`The simulator has no user "${login}": call addUser({ login: '${login}' }) first.`);
  return user;
}

const everything = {
  issues: 'write',
  pull_requests: 'write',
  contents: 'write',
  checks: 'write',
  statuses: 'write',
  actions: 'write',
  workflows: 'write',
} as const;

/**
 * Issues a token to a user. With permissions it is a fine-grained one, which may write what they leave out and has nothing to do
 * with checks, as no such permission exists for it; without, a classic one of the scope `repo`.
 */
export function addToken(state: State, seed: SimulatedTokenSeed): Token {
  const { token: secret, login, permissions, repositories, expiresAt = null } = seed;
  const ids = repositories?.map((name) => seededRepository(state, name).id);
  const token: Token = {
    secret,
    user: seededUser(state, login),
    kind: permissions ? 'fine-grained' : 'classic',
    permissions: permissions ? { ...everything, ...permissions, checks: 'none' } : everything,
    repositoryIds: ids ? new Set(ids) : null,
    expiresAt,
    installation: null,
  };
  state.tokens.set(secret, token);
  return token;
}

/** Deletes an account: what it wrote stays, its tokens and memberships do not. */
export function deleteUser(state: State, login: string, shownAs: 'ghost' | 'null'): void {
  const user = seededUser(state, login);
  user.deletedAs = shownAs;
  for (const token of state.tokens.values()) if (token.user === user) state.tokens.delete(token.secret);
  for (const repository of state.repositories.values()) repository.collaborators.delete(login.toLowerCase());
}
