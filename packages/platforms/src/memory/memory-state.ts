import type { Account, ChangeRequest, Comment, CommentEdit, RequestRecord, ThreadEdit } from '../model.ts';
import { PlatformError } from '../platform-error.ts';
import type { AccessLevel, CallOptions } from '../ports.ts';
import type { Check } from '../review-ports.ts';
import type { GitHubTaskKey, TaskKey } from '../task-key.ts';

/** Content of a file: text, or bytes that are no text. */
export type MemoryFile = string | Uint8Array;

/** A repository that is there from the start. */
export interface MemoryRepositorySeed {
  /** `owner/repo` */
  readonly path: string;
  /** Files of the first commit on the default branch; null for a repository without commits. Default: none. */
  readonly files?: Readonly<Record<string, MemoryFile>> | null;
  readonly defaultBranch?: string;
  readonly private?: boolean;
  /** Login to what it may do. The owner has admin, the agent write; others read, or nothing if it is private. */
  readonly access?: Readonly<Record<string, AccessLevel>>;
}

/** An emoji that somebody put on a comment; ours are named after their meaning. */
export interface MemoryReaction {
  readonly author: string;
  readonly name: string;
}

/** An issue or pull request, and its conversation. */
export interface MemoryThread {
  readonly key: GitHubTaskKey;
  readonly id: string;
  readonly author: Account;
  readonly createdAt: string;
  title: string;
  body: string;
  labels: readonly string[];
  assignees: readonly Account[];
  state: 'open' | 'closed';
  updatedAt: string;
  comments: readonly Comment[];
  /** The last time that each label was put on, by its name in lower case. */
  readonly labeled: Map<string, { readonly actor: Account; readonly at: string }>;
  /** The last time that each account was assigned, by its id. */
  readonly assigned: Map<string, { readonly actor: Account; readonly at: string }>;
  /** The last time that it was reopened. */
  reopened: { readonly actor: Account; readonly at: string } | null;
  /** Edits of title and text, oldest first. */
  readonly edits: ThreadEdit[];
  /** The last edit of each comment, by its id. */
  readonly commentEdits: Map<string, CommentEdit>;
  /** By id of the comment, oldest first. */
  readonly reactions: Map<string, readonly (MemoryReaction & { readonly at: string })[]>;
  /** Grows with every change of the comments: what an ETag stands for. */
  commentsVersion: number;
  changeRequest: ChangeRequest | null;
  /** Words of reviewers and programs about it, in order of time. */
  readonly review: {
    lines: readonly Comment[];
    reviews: readonly Comment[];
    readonly resolved: Set<string>;
    checks: readonly Check[];
    /** Logs of checks, by their ids. */
    readonly logs: Map<string, string>;
    readonly required: Set<string>;
    /** Logins from which a review is requested. */
    readonly requested: Set<string>;
  };
}

/** A commit and the files in it. */
interface MemoryBranch {
  readonly sha: string;
  readonly files: ReadonlyMap<string, MemoryFile>;
}

/** A repository: branches, labels, rights by account id, threads by number. */
export interface MemoryRepository {
  readonly path: string;
  readonly private: boolean;
  readonly defaultBranch: string;
  readonly branches: Map<string, MemoryBranch>;
  readonly labels: Set<string>;
  readonly access: Map<string, AccessLevel>;
  readonly threads: MemoryThread[];
}

/** Everything that the platform knows. */
export interface MemoryState {
  readonly host: string;
  readonly agent: Account;
  /** The present as the platform writes it: ISO 8601 in whole seconds. */
  readonly time: () => string;
  readonly nextId: () => number;
  readonly accounts: Map<string, Account>;
  readonly repositories: Map<string, MemoryRepository>;
}

/** The account of a login; one that is not there yet is made. */
export function accountOf(state: MemoryState, login: string): Account {
  const known = state.accounts.get(login.toLowerCase());
  if (known !== undefined) return known;
  const kind = login.endsWith('[bot]') ? 'bot' : 'person';
  const account: Account = { id: String(state.nextId()), login, kind };
  state.accounts.set(login.toLowerCase(), account);
  return account;
}

/** @throws PlatformError `not-found` */
export function findRepository(state: MemoryState, path: string): MemoryRepository {
  const repository = state.repositories.get(path.toLowerCase());
  if (repository === undefined) {
    throw new PlatformError(`There is no repository ${path} here. Name it in the seed's repositories.`, {
      code: 'not-found',
    });
  }
  return repository;
}

/** @throws PlatformError `invalid` for a key of another platform, `not-found` for a thread that is not there */
export function findThread(state: MemoryState, key: TaskKey): MemoryThread {
  const own = requireMemoryKey(key);
  const { threads, path } = findRepository(state, `${own.owner}/${own.repo}`);
  const thread = threads.find((candidate) => candidate.key.number === own.number);
  if (thread === undefined || thread.key.type !== own.type) {
    throw new PlatformError(`There is no ${own.type} number ${own.number} in ${path}.`, {
      code: 'not-found',
    });
  }
  return thread;
}

/** @throws PlatformError `not-found` */
export function findMemoryThread(
  state: MemoryState,
  { path, number }: { readonly path: string; readonly number: number },
): MemoryThread {
  const found = findRepository(state, path).threads.find(({ key }) => key.number === number);
  if (found !== undefined) return found;
  throw new PlatformError(`There is no thread number ${number} in ${path}.`, { code: 'not-found' });
}

/** @throws PlatformError `invalid` */
export function requireMemoryKey(key: TaskKey): GitHubTaskKey {
  if (key.type === 'github_issue' || key.type === 'github_pull_request') return key;
  throw new PlatformError(
    `The platform in memory knows keys of type github_issue and github_pull_request, not ${key.type}.`,
    { code: 'invalid' },
  );
}

/** Adds a commit with these files to a branch, which is made from the default branch when it is not there. */
export function pushMemoryBranch(
  state: MemoryState,
  repository: MemoryRepository,
  branch: { readonly name: string; readonly files: Readonly<Record<string, MemoryFile>> },
): void {
  const { branches, defaultBranch } = repository;
  const base = branches.get(branch.name) ?? branches.get(defaultBranch);
  const files = new Map([...(base?.files ?? []), ...Object.entries(branch.files)]);
  const sha = state.nextId().toString(16).padStart(40, '0');
  branches.set(branch.name, { sha, files });
}

/** Makes the next calls of an operation fail, as an unreachable platform would. */
export interface MemoryFailure {
  /** Name of the port function: `listComments`, `ensureComment`, … */
  readonly operation: string;
  readonly error: Error;
  /** Number of calls; default 1. */
  readonly times?: number;
  /** True where the call takes effect before its answer is lost; default false. */
  readonly afterEffect?: boolean;
}

/** Runs what a port function does, with everything that goes with a request. */
export type MemoryCall = <Result>(
  operation: string,
  call: CallOptions & {
    readonly answer: () => Result;
    readonly isUnchanged?: (result: Result) => boolean;
  },
) => Promise<Result>;

/** Builds the caller of one thread: honors the signal, fails on demand, counts. */
export function createMemoryCall(options: {
  readonly failures: MemoryFailure[];
  readonly onRequest?: ((record: RequestRecord) => void) | undefined;
}): MemoryCall {
  return async (operation, call) => {
    call.signal?.throwIfAborted();
    const record = (status: number | null) =>
      options.onRequest?.({ method: 'CALL', route: operation, status, counted: status !== 304 });
    const failure = takeFailure(options.failures, operation);
    if (failure !== null) {
      if (failure.afterEffect === true) call.answer();
      record(null);
      throw failure.error;
    }
    const result = call.answer();
    record(call.isUnchanged?.(result) === true ? 304 : 200);
    return result;
  };
}

function takeFailure(failures: MemoryFailure[], operation: string): MemoryFailure | null {
  const index = failures.findIndex((failure) => failure.operation === operation);
  const failure = failures[index];
  if (failure === undefined) return null;
  const times = (failure.times ?? 1) - 1;
  if (times > 0) failures[index] = { ...failure, times };
  else failures.splice(index, 1);
  return failure;
}
