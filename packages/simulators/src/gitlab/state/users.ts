import type { SimulatedGitLabUserSeed } from '../seeds.ts';
import { takeId, timestamp } from './create-state.ts';
import type { State, User } from './model.ts';

/** Signs a user up. Usernames are unique without regard to case. */
export function addUser(state: State, seed: SimulatedGitLabUserSeed): User {
  const key = seed.username.toLowerCase();
  if (state.users.has(key)) throw new Error(`The simulator already has a user "${seed.username}".`);
  const user: User = {
    id: takeId(state),
    username: seed.username,
    name: seed.name ?? seed.username,
    bot: seed.bot ?? false,
    createdAt: timestamp(state),
    isDeleted: false,
  };
  state.users.set(key, user);
  return user;
}

/** The user of this username, whatever its case; undefined when there is none or it was deleted. */
export function findUser(state: State, username: string): User | undefined {
  const user = state.users.get(username.toLowerCase());
  return user?.isDeleted ? undefined : user;
}

/** The user with this id. */
export function findUserById(state: State, id: number): User | undefined {
  return [...state.users.values()].find((user) => user.id === id && !user.isDeleted);
}

/** The user of this username, for seeds. @throws when nobody signed up by that name. */
export function seededUser(state: State, username: string): User {
  const user = findUser(state, username);
  if (user) return user;
  throw new Error(
    `The simulator has no user "${username}": call addUser({ username: '${username}' }) first.`,
  );
}

/** Deletes an account: what it wrote becomes the ghost's, its tokens and memberships end. */
export function deleteUser(state: State, username: string): void {
  const user = seededUser(state, username);
  user.isDeleted = true;
  for (const token of state.tokens.values()) if (token.user === user) state.tokens.delete(token.secret);
  const memberships = [
    ...state.groups.values(),
    ...[...state.projects.values()].map(({ members }) => members),
  ];
  for (const members of memberships) members.delete(username.toLowerCase());
}

/** Finds the user who is shown for an account. @see https://docs.gitlab.com/user/profile/account/delete_account/#associated-records */
export function shownUser(state: State, user: User): User {
  return user.isDeleted ? seededUser(state, 'ghost') : user;
}
