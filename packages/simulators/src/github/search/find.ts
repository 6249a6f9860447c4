import type { Git } from '../../shared/git/git.ts';
import type { Call } from '../http/route.ts';
import { roleOfToken } from '../state/access.ts';
import type { Repository, Thread, TokenScope } from '../state/model.ts';
import { validationFailed } from '../state/refusal.ts';
import { findRepository } from '../state/repositories.ts';
import { isMatch } from './match-thread.ts';
import type { Search } from './parse-search.ts';

/**
 * The repositories that a search covers and the caller may see.
 * @throws {Refusal} 422 for one that is named and can't be searched
 */
export function searchedRepositories(call: Call, search: Search, scope: TokenScope): readonly Repository[] {
  const values = (...names: readonly string[]) =>
    search.qualifiers
      .filter(({ name, negated }) => names.includes(name) && !negated)
      .map(({ value }) => value);
  const isReadable = (repository: Repository) =>
    roleOfToken(repository, call.token) !== null && call.token?.permissions[scope] !== 'none';
  const named = values('repo').map((name) => findRepository(call.state, name));
  if (named.some((repository) => !repository || !isReadable(repository))) throw unsearchable();
  if (named.length > 0) return named.filter((repository) => repository !== undefined);
  const owners = values('user', 'org').map((owner) => owner.toLowerCase());
  return [...call.state.repositories.values()].filter(
    (repository) =>
      isReadable(repository) &&
      (owners.length === 0 || owners.includes(repository.owner.login.toLowerCase())),
  );
}

/** The threads that match, best match first: words in the title count most; then the newest. */
export function findThreads(
  repositories: readonly Repository[],
  search: Search,
  order: { readonly sort: string | null; readonly ascending: boolean },
): readonly Thread[] {
  const found = repositories
    .flatMap((repository) => [...repository.threads.values()])
    .filter((thread) => isMatch(thread, search));
  const sign = order.ascending ? 1 : -1;
  const compare: Record<string, (one: Thread, other: Thread) => number> = {
    created: (one, other) => one.createdAt.localeCompare(other.createdAt),
    updated: (one, other) => one.updatedAt.localeCompare(other.updatedAt),
    comments: (one, other) => one.comments.size - other.comments.size,
  };
  const chosen = compare[order.sort ?? ''];
  if (chosen) return found.sort((one, other) => sign * (chosen(one, other) || one.id - other.id));
  return found.sort((one, other) => titleHits(other, search) - titleHits(one, search) || other.id - one.id);
}

/** Paths of the files of a commit that contain all words, sorted. */
export async function findFilesWithWords(
  git: Git,
  directory: string,
  { commit, search }: { readonly commit: string; readonly search: Search },
): Promise<readonly string[]> {
  const patterns = search.words.flatMap((word) => ['-e', word]);
  const output = await git.tryRead(directory, [
    'grep',
    '-lziIF',
    '--full-name',
    '--all-match',
    ...patterns,
    commit,
  ]);
  const paths = (output?.toString('utf8') ?? '')
    .split('\0')
    .filter(Boolean)
    .map((path) => path.slice(commit.length + 1));
  return paths.filter((path) =>
    search.qualifiers.every((qualifier) => isPathWanted(path, qualifier.name, qualifier.value)),
  );
}

function isPathWanted(path: string, name: string, value: string): boolean {
  if (name === 'path') return path.startsWith(value.replace(/^\//, ''));
  if (name === 'extension') return path.endsWith(`.${value}`);
  if (name === 'filename') return path.split('/').at(-1) === value;
  return true;
}

function titleHits(thread: Thread, { words }: Search): number {
  const title = thread.title.toLowerCase();
  return words.filter((word) => title.includes(word)).length;
}

function unsearchable() {
  const message =
    'The listed users and repositories cannot be searched either because the resources do not exist or you do not have permission to view them.';
  return validationFailed({ resource: 'Search', field: 'q', code: 'invalid', message });
}
