import type { Locale } from '@agent/text';
import { composeOwnComment, findOwnComment, isSameBody, sortOwnComments } from '../comments/own-comment.ts';
import { moveCursor, unchangedListing } from '../listings/comment-listing.ts';
import type { Comment, OwnComment } from '../model.ts';
import { PlatformError } from '../platform-error.ts';
import type {
  AssigneeEditor,
  CommentSource,
  CommentWriter,
  LabelEditor,
  OwnComments,
  PermissionReader,
  ReactionWriter,
  ThreadReader,
} from '../ports.ts';
import type { GitHubTaskKey } from '../task-key.ts';
import {
  accountOf,
  findRepository,
  findThread,
  type MemoryCall,
  type MemoryState,
  type MemoryThread,
} from './memory-state.ts';
import { addComment, addReaction, changeComments, setAssignees, setLabels } from './memory-threads.ts';

/** Parts that the ports of one thread are made of. */
export interface MemoryThreadContext {
  readonly state: MemoryState;
  readonly key: GitHubTaskKey;
  readonly call: MemoryCall;
  readonly locale: Locale;
}

/** GitHub's limits, so that what fits in memory fits there. */
const maxCommentChars = 65_536;
const maxLabelChars = 50;

/** The thread itself. */
export function createMemoryReader({ state, key, call }: MemoryThreadContext): ThreadReader {
  const answer = () => {
    const {
      comments,
      commentsVersion,
      commentEdits,
      reactions,
      labeled,
      reopened,
      edits,
      review,
      ...thread
    } = findThread(state, key);
    const page = key.type === 'github_pull_request' ? 'pull' : 'issues';
    const url = `https://${state.host}/${key.owner}/${key.repo}/${page}/${key.number}`;
    return { ...thread, number: key.number, commentCount: comments.length, url, confidential: false };
  };
  const find = (id: string) => findThread(state, key).comments.find((comment) => comment.id === id) ?? null;
  return {
    readThread: (options = {}) => call('readThread', { ...options, answer }),
    getComment: (id, options = {}) => call('getComment', { ...options, answer: () => find(id) }),
  };
}

/** Our comments, by topic. */
export function createMemoryWriter({ state, key, call, locale }: MemoryThreadContext): CommentWriter {
  return {
    ensureComment: ({ topic, body, note, signal }) =>
      call('ensureComment', {
        signal,
        answer: () => {
          const thread = findThread(state, key);
          const text = composeOwnComment({ topic, body, note }, { maxChars: maxCommentChars, locale });
          listOwn(state, thread);
          const found = findOwnComment(thread.comments, { topic, account: state.agent });
          if (found === undefined) {
            const { id, url } = addComment(state, thread, { author: state.agent.login, body: text });
            return { id, url, change: 'created' as const };
          }
          const change = bringUpToDate(state, thread, { found, text });
          return { id: found.id, url: found.url, change };
        },
      }),
  };
}

/** Lists, edits and removes them. */
export function createMemoryOwnComments({ state, key, call, locale }: MemoryThreadContext): OwnComments {
  return {
    list: (options = {}) =>
      call('listOwnComments', { ...options, answer: () => listOwn(state, findThread(state, key)) }),
    edit: ({ id, signal, ...said }) =>
      call('editComment', {
        signal,
        answer: () => {
          const thread = findThread(state, key);
          const text = composeOwnComment(said, { maxChars: maxCommentChars, locale });
          const found = thread.comments.find((comment) => comment.id === id);
          return found === undefined ? ('gone' as const) : bringUpToDate(state, thread, { found, text });
        },
      }),
    remove: (id, options = {}) =>
      call('removeComment', { ...options, answer: () => removeAll(state, findThread(state, key), [id]) }),
  };
}

function bringUpToDate(
  state: MemoryState,
  thread: MemoryThread,
  { found, text }: { readonly found: Comment; readonly text: string },
): 'updated' | 'unchanged' {
  if (isSameBody(found.body, text)) return 'unchanged';
  const edited = { ...found, body: text, updatedAt: state.time() };
  changeComments(state, thread, (comments) => comments.map((one) => (one.id === found.id ? edited : one)));
  return 'updated';
}

function listOwn(state: MemoryState, thread: MemoryThread): readonly OwnComment[] {
  const { kept, younger } = sortOwnComments(thread.comments, state.agent);
  const ids = younger.map(({ id }) => id);
  removeAll(state, thread, ids);
  return kept;
}

function removeAll(state: MemoryState, thread: MemoryThread, ids: readonly string[]): void {
  if (!thread.comments.some(({ id }) => ids.includes(id))) return;
  changeComments(state, thread, (comments) => comments.filter(({ id }) => !ids.includes(id)));
}

/** Reactions to the comments of the thread, in the words of their meanings. */
export function createMemoryReactions({ state, key, call }: MemoryThreadContext): ReactionWriter {
  return {
    ensureReaction: ({ commentId, meaning, signal }) =>
      call('ensureReaction', {
        signal,
        answer: () => {
          const reaction = { author: state.agent.login, name: meaning };
          addReaction(state, findThread(state, key), { commentId, ...reaction });
        },
      }),
    listReactions: ({ commentId, meaning, signal }) =>
      call('listReactions', {
        signal,
        answer: () => {
          const { comments, reactions } = findThread(state, key);
          if (!comments.some(({ id }) => id === commentId))
            throw new PlatformError(`There is no comment ${commentId} on this thread.`, {
              code: 'not-found',
            });
          return (reactions.get(commentId) ?? [])
            .filter(({ name }) => name === meaning)
            .map(({ author, at }) => ({ by: accountOf(state, author), at }));
        },
      }),
  };
}

/** Labels of the thread, made in the repository as needed. */
export function createMemoryLabels({ state, key, call }: MemoryThreadContext): LabelEditor {
  const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
  return {
    addLabel: (name, options = {}) =>
      call('addLabel', {
        ...options,
        answer: () => {
          requireLabel(name);
          const thread = findThread(state, key);
          findRepository(state, `${key.owner}/${key.repo}`).labels.add(name);
          const isThere = thread.labels.some((label) => same(label, name));
          const labels = isThere ? thread.labels : [...thread.labels, name];
          setLabels(state, thread, { labels, by: state.agent.login });
        },
      }),
    removeLabel: (name, options = {}) =>
      call('removeLabel', {
        ...options,
        answer: () => {
          const thread = findThread(state, key);
          thread.labels = thread.labels.filter((label) => !same(label, name));
        },
      }),
  };
}

/** The assignees, one at a time. */
export function createMemoryAssignees({ state, key, call }: MemoryThreadContext): AssigneeEditor {
  const change = (method: string, next: (logins: readonly string[], login: string) => readonly string[]) =>
    ((account, options = {}) =>
      call(method, {
        ...options,
        answer: () => {
          const thread = findThread(state, key);
          const others = thread.assignees.filter(({ id }) => id !== account.id).map(({ login }) => login);
          setAssignees(state, thread, { logins: next(others, account.login), by: state.agent.login });
        },
      })) satisfies AssigneeEditor['assign'];
  return {
    assign: change('assign', (others, login) => [...others, login]),
    unassign: change('unassign', (others) => others),
  };
}

function requireLabel(name: string): void {
  if (name.trim() !== '' && name.length <= maxLabelChars) return;
  throw new PlatformError(
    `The label ${JSON.stringify(name.slice(0, 80))} cannot be created: use 1 to ${maxLabelChars} characters.`,
    { code: 'invalid' },
  );
}

/** Says what was granted, else what anybody may do. */
export function createMemoryPermissions({ state, key, call }: MemoryThreadContext): PermissionReader {
  return {
    accessOf: (account, options = {}) =>
      call('accessOf', {
        ...options,
        answer: () => {
          const repository = findRepository(state, `${key.owner}/${key.repo}`);
          const granted = repository.access.get(account.id);
          if (granted !== undefined) return granted;
          const known = [...state.accounts.values()].some((one) => one.id === account.id);
          return known && !repository.private ? 'read' : 'none';
        },
      }),
  };
}

/** The conversation, with cursors and unchanged polls as GitHub has them. */
export function createMemoryComments({ state, key, call }: MemoryThreadContext): CommentSource {
  const seen = new Map<string | null, number>();
  return {
    listComments: ({ since, signal }) =>
      call('listComments', {
        signal,
        isUnchanged: (listing) => listing.unchanged,
        answer: () => {
          const { comments: all, commentsVersion } = findThread(state, key);
          const cursor = moveCursor(since, all);
          if (seen.get(since) === commentsVersion) return unchangedListing(cursor);
          seen.set(since, commentsVersion);
          const comments = all.filter((one) => since === null || (one.updatedAt ?? one.createdAt) >= since);
          return { comments, complete: since === null, cursor, unchanged: false };
        },
      }),
  };
}
