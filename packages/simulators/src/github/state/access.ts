import type { Repository, Role, Thread, Token, User } from './model.ts';

const ranks: Readonly<Record<Role, number>> = { read: 1, triage: 2, write: 3, maintain: 4, admin: 5 };

/**
 * What an account may do in a repository; null for nothing at all. Everybody reads a public one.
 * @see https://docs.github.com/organizations/managing-user-access-to-your-organizations-repositories/managing-repository-roles/repository-roles-for-an-organization
 */
export function roleOf(repository: Repository, user: User | null): Role | null {
  if (user && user === repository.owner) return 'admin';
  // What an app may do there is left to the permissions of its tokens.
  if (user && repository.bots.has(user)) return 'write';
  const granted = user && repository.collaborators.get(user.login.toLowerCase());
  return granted || (repository.private ? null : 'read');
}

/** Checks whether a token is for this repository; without one nothing is ruled out. */
export function reaches(token: Token | null, repository: Repository): boolean {
  return !token?.repositoryIds || token.repositoryIds.has(repository.id);
}

/** What a request may do: nothing but what everybody may where its token is not for the repository. */
export function roleOfToken(repository: Repository, token: Token | null): Role | null {
  return roleOf(repository, reaches(token, repository) ? (token?.user ?? null) : null);
}

/** Checks whether a role includes another. */
export function includesRole(role: Role | null, needed: Role): boolean {
  return role !== null && ranks[role] >= ranks[needed];
}

/** Checks whether an account has at least this role in a repository. */
export function may(repository: Repository, user: User | null, needed: Role): boolean {
  return includesRole(roleOf(repository, user), needed);
}

/**
 * How an author stands to the repository.
 * @see https://docs.github.com/graphql/reference/enums#commentauthorassociation
 */
export function associationOf(
  repository: Repository,
  user: User,
): 'OWNER' | 'COLLABORATOR' | 'CONTRIBUTOR' | 'NONE' {
  if (user === repository.owner) return 'OWNER';
  if (repository.collaborators.has(user.login.toLowerCase())) return 'COLLABORATOR';
  return hasContributed(repository, user) ? 'CONTRIBUTOR' : 'NONE';
}

function hasContributed(repository: Repository, user: User): boolean {
  const merged = (thread: Thread) => thread.author === user && thread.pull?.mergedAt;
  return [...repository.threads.values()].some(merged);
}
