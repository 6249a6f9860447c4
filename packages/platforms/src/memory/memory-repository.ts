import { sinceOf } from '../listings/task-finder.ts';
import type { RepositoryListing } from '../model.ts';
import { PlatformError } from '../platform-error.ts';
import type {
  ChangeRequests,
  RepositoryChanges,
  RepositoryReader,
  TaskFinder,
  TaskSummary,
} from '../ports.ts';
import { toThreadName } from '../task-key.ts';
import {
  findRepository,
  findThread,
  type MemoryCall,
  type MemoryFile,
  type MemoryRepository,
  type MemoryState,
  type MemoryThread,
} from './memory-state.ts';
import type { MemoryThreadContext } from './memory-thread-ports.ts';
import { addThread } from './memory-threads.ts';

/** Finds threads in every repository of the seed. */
export function createMemoryTasks(state: MemoryState, call: MemoryCall): TaskFinder {
  return {
    listTasks: ({ label, assignee, state: wanted, signal, ...times }) =>
      call('listTasks', {
        signal,
        answer: () => ({
          tasks: [...state.repositories.values()]
            .flatMap(({ path, threads }) => threads.filter(isChangedSince(sinceOf(path, times))))
            .filter((thread) => wanted === 'all' || thread.state === wanted)
            .filter(({ labels }) => label === null || labels.some((name) => same(name, label)))
            .filter(
              (thread) => assignee === null || thread.assignees.some((one) => same(one.login, assignee)),
            )
            .sort((one, other) => Date.parse(one.createdAt) - Date.parse(other.createdAt))
            .map((thread) => toTaskSummary(state, thread)),
          failures: [],
        }),
      }),
  };
}

const isChangedSince =
  (since: string | null) =>
  ({ updatedAt }: MemoryThread): boolean =>
    since === null || Date.parse(updatedAt) >= Date.parse(since);

/** A thread as a listing shows it. */
function toTaskSummary(state: MemoryState, thread: MemoryThread): TaskSummary {
  const { key, title, labels, author, updatedAt } = thread;
  const page = key.type === 'github_pull_request' ? 'pull' : 'issues';
  const url = `https://${state.host}/${key.owner}/${key.repo}/${page}/${key.number}`;
  return { key, number: key.number, title, labels, author, url, updatedAt };
}

const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/** Files of branches and words of threads; no request is made. */
export function createMemoryRepositoryReader(context: MemoryThreadContext): RepositoryReader {
  const { state, key, call } = context;
  const repository = () => findRepository(state, `${key.owner}/${key.repo}`);
  return {
    describe: (options = {}) =>
      call('describe', {
        ...options,
        answer: () => {
          const { path, defaultBranch, private: hidden } = repository();
          const cloneUrl = `https://${state.host}/${path}.git`;
          return { id: path.toLowerCase(), path, defaultBranch, cloneUrl, private: hidden };
        },
      }),
    listFiles: ({ ref, signal } = {}) =>
      call('listFiles', { signal, answer: () => [...filesAt(repository(), ref).keys()].sort() }),
    readFile: (path, { ref, signal } = {}) =>
      call('readFile', {
        signal,
        answer: () => {
          const file = filesAt(repository(), ref).get(path);
          if (file === undefined) throw missing(`${path} in ${repository().path}`);
          return toText(path, file);
        },
      }),
    searchThreads: (query, options = {}) =>
      call('searchThreads', { ...options, answer: () => search(context, repository(), query) }),
  };
}

function filesAt(repository: MemoryRepository, ref: string | undefined): ReadonlyMap<string, MemoryFile> {
  const named = repository.branches.get(ref ?? repository.defaultBranch);
  const branch = named ?? [...repository.branches.values()].find((one) => one.sha === ref);
  if (branch !== undefined) return branch.files;
  if (ref === undefined) return new Map();
  throw missing(`${ref} in ${repository.path}`);
}

function toText(path: string, file: MemoryFile): string {
  if (typeof file === 'string') return file;
  throw new PlatformError(`${path} is not text.`, { code: 'invalid' });
}

function missing(what: string): PlatformError {
  return new PlatformError(`There is no ${what}.`, { code: 'not-found' });
}

function search(context: MemoryThreadContext, repository: MemoryRepository, query: string) {
  const words = query.toLowerCase().split(/\s+/u).filter(Boolean);
  if (words.length === 0) {
    throw new PlatformError('A search needs at least one word.', { code: 'invalid' });
  }
  return repository.threads
    .filter(({ title, body }) => words.every((word) => `${title}\n${body}`.toLowerCase().includes(word)))
    .slice(0, 20)
    .map((thread) => toTaskSummary(context.state, thread));
}

/** Branches and pull requests of one repository. */
export function createMemoryChangeRequests({ state, key, call }: MemoryThreadContext): ChangeRequests {
  const repository = () => findRepository(state, `${key.owner}/${key.repo}`);
  const newestFrom = (headBranch: string) =>
    repository().threads.findLast((thread) => thread.changeRequest?.headBranch === headBranch);
  return {
    listBranches: ({ prefix, signal }) =>
      call('listBranches', {
        signal,
        answer: () =>
          [...repository().branches]
            .map(([name, { sha }]) => ({ name, sha }))
            .filter(({ name }) => name.startsWith(prefix))
            .sort((one, other) => (one.name < other.name ? -1 : 1)),
      }),
    findChangeRequest: ({ headBranch, signal }) =>
      call('findChangeRequest', { signal, answer: () => newestFrom(headBranch)?.changeRequest ?? null }),
    describeBranch: ({ branch, signal }) =>
      call('describeBranch', {
        signal,
        answer: () => ({
          protected: false,
          baseOf: repository()
            .threads.filter((thread) => thread.changeRequest?.state === 'open')
            .filter((thread) => thread.changeRequest?.baseBranch === branch)
            .map(({ key: { number } }) => number),
        }),
      }),
    ensureDraft: ({ headBranch, baseBranch, title, body, joinBody, signal }) =>
      call('ensureDraft', {
        signal,
        answer: () => {
          const found = newestFrom(headBranch);
          const open = found?.changeRequest?.state === 'open' ? found : null;
          if (open?.changeRequest) {
            open.body = joinBody(open.body, body);
            return open.changeRequest;
          }
          for (const branch of [headBranch, baseBranch]) {
            if (!repository().branches.has(branch)) throw unknownBranch(branch, repository().path);
          }
          const seed = {
            repository: repository().path,
            author: state.agent.login,
            title,
            body: joinBody(null, body),
          };
          const added = addThread(state, seed, { title, draft: true, headBranch, baseBranch });
          if (added.changeRequest === null) throw missing(`change request from ${headBranch}`);
          return added.changeRequest;
        },
      }),
    requestReview: ({ number, account, signal }) =>
      call('requestReview', {
        signal,
        answer: () => {
          const thread = findThread(state, { ...key, type: 'github_pull_request', number });
          if (account.id === thread.author.id)
            throw new PlatformError('Review cannot be requested from pull request author.', {
              code: 'invalid',
            });
          thread.review.requested.add(account.login);
        },
      }),
  };
}

function unknownBranch(branch: string, path: string): PlatformError {
  return new PlatformError(`There is no branch ${branch} in ${path}: push it first.`, { code: 'invalid' });
}

/** Before anything that memory holds. */
const beginning = '1970-01-01T00:00:00Z';

/** Comments of all threads of one repository, all of them whenever something changed. */
export function createMemoryRepositoryChanges({
  state,
  key,
  call,
}: Omit<MemoryThreadContext, 'locale'>): RepositoryChanges {
  let seen: number | null = null;
  const answer = (): RepositoryListing => {
    const { threads } = findRepository(state, `${key.owner}/${key.repo}`);
    const version = threads.reduce((sum, { commentsVersion }) => sum + commentsVersion, 0);
    if (seen === version) return { changes: [], since: beginning, unchanged: true };
    const isFirst = seen === null;
    seen = version;
    if (isFirst) return { changes: [], since: null, unchanged: false };
    const changes = threads.flatMap((thread) =>
      thread.comments.map((comment) => ({ thread: toThreadName(thread.key), comment })),
    );
    return { changes, since: beginning, unchanged: false };
  };
  return {
    listChanges: (options = {}) =>
      call('listChanges', { ...options, isUnchanged: ({ unchanged }) => unchanged, answer }),
  };
}
