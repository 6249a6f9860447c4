import type { ChangeRequest, Comment } from '../model.ts';
import { PlatformError } from '../platform-error.ts';
import {
  accountOf,
  findRepository,
  type MemoryRepository,
  type MemoryState,
  type MemoryThread,
} from './memory-state.ts';

/** An issue that somebody opens. */
export interface MemoryIssueSeed {
  /** `owner/repo`; default: the first repository. */
  readonly repository?: string;
  readonly author: string;
  readonly title: string;
  readonly body?: string;
  readonly labels?: readonly string[];
  readonly assignees?: readonly string[];
}

type NewChangeRequest = Pick<ChangeRequest, 'title' | 'draft' | 'headBranch' | 'baseBranch'>;

/** Opens an issue, or a pull request where one is given. */
export function addThread(
  state: MemoryState,
  seed: MemoryIssueSeed,
  pull: NewChangeRequest | null,
): MemoryThread {
  const repository = repositoryOf(state, seed);
  const [owner = '', repo = ''] = repository.path.split('/');
  const number = repository.threads.length + 1;
  const type = pull === null ? 'github_issue' : 'github_pull_request';
  const time = state.time();
  const thread: MemoryThread = {
    key: { type, owner, repo, number },
    id: String(state.nextId()),
    title: seed.title,
    body: seed.body ?? '',
    author: accountOf(state, seed.author),
    labels: [],
    assignees: [],
    assigned: new Map(),
    reopened: null,
    state: 'open',
    createdAt: time,
    updatedAt: time,
    comments: [],
    labeled: new Map(),
    edits: [],
    commentEdits: new Map(),
    reactions: new Map(),
    commentsVersion: 0,
    review: {
      ...{ lines: [], reviews: [], checks: [], logs: new Map() },
      ...{ resolved: new Set<string>(), required: new Set<string>(), requested: new Set<string>() },
    },
    changeRequest: pull === null ? null : toChangeRequest(state, repository, { ...pull, number }),
  };
  repository.threads.push(thread);
  setLabels(state, thread, { labels: seed.labels ?? [], by: owner });
  setAssignees(state, thread, { logins: seed.assignees ?? [], by: owner });
  return thread;
}

/** Makes these its labels, as this login. */
export function setLabels(
  state: MemoryState,
  thread: MemoryThread,
  { labels, by }: { readonly labels: readonly string[]; readonly by: string },
): void {
  const fold = (name: string) => name.toLowerCase();
  const present = new Set(thread.labels.map(fold));
  const event = { actor: accountOf(state, by), at: state.time() };
  for (const name of labels) if (!present.has(fold(name))) thread.labeled.set(fold(name), event);
  thread.labels = [...labels];
}

/** Makes these its assignees, as this login. */
export function setAssignees(
  state: MemoryState,
  thread: MemoryThread,
  { logins, by }: { readonly logins: readonly string[]; readonly by: string },
): void {
  const present = new Set(thread.assignees.map(({ id }) => id));
  const event = { actor: accountOf(state, by), at: state.time() };
  const wanted = logins.map((login) => accountOf(state, login));
  for (const { id } of wanted) if (!present.has(id)) thread.assigned.set(id, event);
  thread.assignees = wanted;
}

/** Edits title and text, as this login. */
export function editThread(
  state: MemoryState,
  thread: MemoryThread,
  { by, ...change }: { readonly title?: string; readonly body?: string; readonly by: string },
): void {
  const event = { actor: accountOf(state, by), at: state.time() };
  for (const part of ['title', 'body'] as const)
    if (change[part] !== undefined && change[part] !== thread[part]) thread.edits.push({ part, ...event });
  Object.assign(thread, change, { updatedAt: state.time() });
}

function toChangeRequest(
  state: MemoryState,
  repository: MemoryRepository,
  pull: NewChangeRequest & { readonly number: number },
): ChangeRequest {
  return {
    ...pull,
    url: `https://${state.host}/${repository.path}/pull/${pull.number}`,
    state: 'open',
    headSha: repository.branches.get(pull.headBranch)?.sha ?? '',
    fromFork: false,
  };
}

/** Writes a comment as this login. */
export function addComment(
  state: MemoryState,
  thread: MemoryThread,
  comment: { readonly author: string; readonly body: string },
): Comment {
  const id = String(state.nextId());
  const { owner, repo, number } = thread.key;
  const time = state.time();
  const added: Comment = {
    id,
    author: accountOf(state, comment.author),
    body: comment.body,
    createdAt: time,
    updatedAt: time,
    url: `https://${state.host}/${owner}/${repo}/issues/${number}#issuecomment-${id}`,
    visibility: 'public',
    subject: null,
  };
  changeComments(state, thread, (comments) => [...comments, added]);
  return added;
}

/** Every change of a thread's comments goes through here, so that a later poll sees that something changed. */
export function changeComments(
  state: MemoryState,
  thread: MemoryThread,
  change: (comments: readonly Comment[]) => readonly Comment[],
): void {
  thread.comments = change(thread.comments);
  thread.commentsVersion += 1;
  thread.updatedAt = state.time();
}

/** The repository that a seed names, else the first. */
export function repositoryOf(state: MemoryState, seed: MemoryIssueSeed): MemoryRepository {
  return findRepository(state, seed.repository ?? [...state.repositories.keys()][0] ?? '');
}

/**
 * Reacts as this login, once with each name. The comment's `updatedAt` stays; the listing is another, because it
 * would show the reaction.
 *
 * @throws PlatformError `not-found` for a comment that is not there
 */
export function addReaction(
  state: MemoryState,
  thread: MemoryThread,
  { commentId, author, name }: { readonly commentId: string; readonly author: string; readonly name: string },
): void {
  if (!thread.comments.some(({ id }) => id === commentId)) {
    throw new PlatformError(`There is no comment ${commentId} on this thread.`, { code: 'not-found' });
  }
  const { login } = accountOf(state, author);
  const given = thread.reactions.get(commentId) ?? [];
  if (given.some((one) => one.author === login && one.name === name)) return;
  thread.reactions.set(commentId, [...given, { author: login, name, at: state.time() }]);
  thread.commentsVersion += 1;
}
