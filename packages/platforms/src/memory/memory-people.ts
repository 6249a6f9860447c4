import type { Comment } from '../model.ts';
import { PlatformError } from '../platform-error.ts';
import type { AccessLevel } from '../ports.ts';
import type { GitHubTaskKey, TaskKey } from '../task-key.ts';
import {
  accountOf,
  findRepository,
  findThread,
  type MemoryFile,
  type MemoryReaction,
  type MemoryState,
  pushMemoryBranch,
} from './memory-state.ts';
import {
  addComment,
  addReaction,
  addThread,
  changeComments,
  editThread,
  type MemoryIssueSeed,
  repositoryOf,
  setAssignees,
  setLabels,
} from './memory-threads.ts';

/** A pull request that somebody opens from a branch, which is made as needed. */
export interface MemoryPullRequestSeed extends MemoryIssueSeed {
  readonly headBranch: string;
  readonly baseBranch?: string;
  readonly draft?: boolean;
  /** True where its branch lies in somebody's copy of the repository. Default false. */
  readonly fromFork?: boolean;
  /** Files that the head branch has beyond its base. */
  readonly files?: Readonly<Record<string, MemoryFile>>;
}

/** Actions of people on the platform while the agent works: for tests and examples. Logins that are new are made. */
export interface MemoryPeople {
  readonly openIssue: (issue: MemoryIssueSeed) => GitHubTaskKey;
  readonly openPullRequest: (pull: MemoryPullRequestSeed) => GitHubTaskKey;
  /** Gives back the comment's id. */
  readonly comment: (key: TaskKey, comment: { readonly author: string; readonly body: string }) => string;
  /** As `by`; default: as its author. */
  readonly editComment: (key: TaskKey, id: string, body: string, options?: { readonly by?: string }) => void;
  readonly deleteComment: (key: TaskKey, id: string) => void;
  readonly react: (
    key: TaskKey,
    reaction: { readonly commentId: string; readonly author: string; readonly name: string },
  ) => void;
  /** As `by`; default: as its author. */
  readonly editThread: (
    key: TaskKey,
    change: { readonly title?: string; readonly body?: string; readonly by?: string },
  ) => void;
  /** As `by`; default: as the owner of the repository, who labels new threads, too. */
  readonly setLabels: (key: TaskKey, labels: readonly string[], options?: { readonly by?: string }) => void;
  /** As `by`; default: as the owner of the repository. */
  readonly assign: (key: TaskKey, logins: readonly string[], options?: { readonly by?: string }) => void;
  readonly closeThread: (key: TaskKey, options?: { readonly merged?: boolean }) => void;
  /** As `by`; default: as the owner of the repository. */
  readonly reopenThread: (key: TaskKey, options?: { readonly by?: string }) => void;
  readonly grant: (repository: string, login: string, access: AccessLevel) => void;
  readonly pushBranch: (
    repository: string,
    branch: { readonly name: string; readonly files: Readonly<Record<string, MemoryFile>> },
  ) => void;
  /** Comments that stand on the thread now, without asking through a port. */
  readonly commentsOn: (key: TaskKey) => readonly Comment[];
  /** Oldest first; ours are named after their meaning: `seen`. */
  readonly reactionsOn: (key: TaskKey, commentId: string) => readonly MemoryReaction[];
  readonly labelsOn: (key: TaskKey) => readonly string[];
}

/** People's hands on a platform in memory. */
export function createMemoryPeople(state: MemoryState): MemoryPeople {
  const setComments = (key: TaskKey, change: (comments: readonly Comment[]) => readonly Comment[]) =>
    changeComments(state, findThread(state, key), change);
  return {
    openIssue: (issue) => addThread(state, issue, null).key,
    openPullRequest: (pull) => {
      const repository = repositoryOf(state, pull);
      const draft = { title: pull.title, draft: pull.draft ?? false, headBranch: pull.headBranch };
      pushMemoryBranch(state, repository, { name: pull.headBranch, files: pull.files ?? {} });
      const baseBranch = pull.baseBranch ?? repository.defaultBranch;
      const thread = addThread(state, pull, { ...draft, baseBranch });
      const { changeRequest, key } = thread;
      if (changeRequest !== null)
        thread.changeRequest = { ...changeRequest, fromFork: pull.fromFork ?? false };
      return key;
    },
    comment: (key, { author, body }) => addComment(state, findThread(state, key), { author, body }).id,
    editComment: (key, id, body, { by } = {}) =>
      setComments(key, (comments) => {
        const { author } = requireComment(comments, id);
        const actor = by === undefined ? author : accountOf(state, by);
        findThread(state, key).commentEdits.set(id, { actor, at: state.time() });
        return comments.map((one) => (one.id === id ? { ...one, body, updatedAt: state.time() } : one));
      }),
    deleteComment: (key, id) =>
      setComments(key, (comments) => {
        requireComment(comments, id);
        return comments.filter((one) => one.id !== id);
      }),
    react: (key, reaction) => addReaction(state, findThread(state, key), reaction),
    editThread: (key, { by, ...change }) => {
      const thread = findThread(state, key);
      editThread(state, thread, { ...change, by: by ?? thread.author.login });
    },
    setLabels: (key, labels, { by } = {}) => {
      const thread = findThread(state, key);
      setLabels(state, thread, { labels, by: by ?? thread.key.owner });
    },
    assign: (key, logins, { by } = {}) => {
      const thread = findThread(state, key);
      setAssignees(state, thread, { logins, by: by ?? thread.key.owner });
    },
    closeThread: (key, options = {}) => {
      const thread = findThread(state, key);
      const { changeRequest } = thread;
      const closed = options.merged === true ? 'merged' : 'closed';
      thread.state = 'closed';
      thread.changeRequest = changeRequest === null ? null : { ...changeRequest, state: closed };
    },
    reopenThread: (key, { by } = {}) => {
      const thread = findThread(state, key);
      const { changeRequest } = thread;
      thread.state = 'open';
      thread.changeRequest = changeRequest === null ? null : { ...changeRequest, state: 'open' };
      thread.updatedAt = state.time();
      thread.reopened = { actor: accountOf(state, by ?? thread.key.owner), at: thread.updatedAt };
    },
    grant: (repository, login, access) => {
      findRepository(state, repository).access.set(accountOf(state, login).id, access);
    },
    pushBranch: (repository, branch) => pushMemoryBranch(state, findRepository(state, repository), branch),
    commentsOn: (key) => findThread(state, key).comments,
    reactionsOn: (key, commentId) =>
      (findThread(state, key).reactions.get(commentId) ?? []).map(({ author, name }) => ({ author, name })),
    labelsOn: (key) => findThread(state, key).labels,
  };
}

function requireComment(comments: readonly Comment[], id: string): Comment {
  const found = comments.find((comment) => comment.id === id);
  if (found !== undefined) return found;
  throw new PlatformError(`There is no comment ${id} on this thread.`, { code: 'not-found' });
}
