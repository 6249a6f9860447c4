import { takeId, timestamp } from './create-state.ts';
import type { Pull, Repository, State, Thread, User } from './model.ts';
import { gone, notFound } from './refusal.ts';
import { fullName } from './repositories.ts';
import { checkBody, checkTitle } from './text-limits.ts';

export interface NewThread {
  readonly author: User;
  readonly title: string;
  readonly body: string | null;
  readonly pull: Pull | null;
}

/** Opens an issue, or a pull request's issue; both take the repository's next number. @throws {Refusal} 410, 422 */
export function openThread(state: State, repository: Repository, opening: NewThread): Thread {
  const resource = opening.pull ? 'PullRequest' : 'Issue';
  if (!opening.pull && !repository.hasIssues) throw issuesDisabled();
  checkTitle(resource, opening.title);
  checkBody(state, resource, opening.body ?? '');
  const created = timestamp(state);
  const thread: Thread = {
    ...opening,
    id: takeId(state),
    number: repository.nextNumber,
    repository,
    createdAt: created,
    updatedAt: created,
    labels: new Map(),
    assignees: new Map(),
    comments: new Map(),
    reactions: new Map(),
    events: [],
    bodyEdits: [],
    parent: null,
    state: 'open',
    stateReason: null,
    closedAt: null,
    closedBy: null,
    locked: false,
  };
  repository.nextNumber += 1;
  repository.threads.set(thread.number, thread);
  return thread;
}

/** @throws {Refusal} 404 where there never was one, 410 where it was deleted. */
export function findThread(repository: Repository, number: number): Thread {
  const thread = repository.threads.get(number);
  if (thread) return thread;
  throw repository.deletedThreads.has(number) ? gone('This issue was deleted') : notFound();
}

/** The thread of this number, for seeds. @throws when there is none, or none any more */
export function seededThread(repository: Repository, number: number): Thread {
  const thread = repository.threads.get(number);
  if (thread) return thread;
  throw new Error(`The simulator has no #${number} in ${fullName(repository)}.`);
}

export interface ThreadChange {
  readonly title?: string | undefined;
  readonly body?: string | null | undefined;
  readonly state?: 'open' | 'closed' | undefined;
  readonly stateReason?: Thread['stateReason'] | undefined;
}

/** Edits title and body, closes and reopens; bumps the updated time. @throws {Refusal} 422 */
export function editThread(state: State, thread: Thread, change: ThreadChange & { readonly by: User }): void {
  const resource = thread.pull ? 'PullRequest' : 'Issue';
  if (change.title !== undefined) checkTitle(resource, change.title);
  if (change.body) checkBody(state, resource, change.body);
  if (change.title !== undefined) rename(state, thread, { to: change.title, by: change.by });
  if (change.body !== undefined) rewrite(state, thread, { body: change.body, by: change.by });
  if (change.state === 'closed' && thread.state === 'open') close(state, thread, change);
  if (change.state === 'open' && thread.state === 'closed') reopen(state, thread, change.by);
  touch(state, thread);
}

function rename(state: State, thread: Thread, { to, by }: { readonly to: string; readonly by: User }): void {
  const from = thread.title;
  if (from === to) return;
  thread.title = to;
  const event = {
    id: takeId(state),
    actor: by,
    createdAt: timestamp(state),
    kind: 'renamed',
    from,
    to,
  } as const;
  thread.events.push(event);
}

function rewrite(
  state: State,
  thread: Thread,
  { body, by }: { readonly body: string | null; readonly by: User },
): void {
  if (thread.body === body) return;
  thread.body = body;
  thread.bodyEdits.push({ editor: by, editedAt: timestamp(state) });
}

/** Deletes an issue for good: reading it answers 410 from now on. */
export function deleteThread(thread: Thread): void {
  thread.repository.threads.delete(thread.number);
  thread.repository.deletedThreads.add(thread.number);
  for (const id of thread.comments.keys()) thread.repository.comments.delete(id);
}

/**
 * Transfers an issue to another repository, where it takes the next number. Its comments keep their times and get new ids.
 * @see https://docs.github.com/en/issues/tracking-your-work-with-issues/administering-issues/transferring-an-issue-to-another-repository
 */
export function transferThread(state: State, thread: Thread, to: Repository): Thread {
  const { repository, number, comments, ...rest } = thread;
  const moved: Thread = { ...rest, repository: to, number: to.nextNumber, comments: new Map() };
  to.nextNumber += 1;
  to.threads.set(moved.number, moved);
  for (const comment of comments.values()) {
    const copy = { ...comment, id: takeId(state), thread: moved };
    moved.comments.set(copy.id, copy);
    to.comments.set(copy.id, copy);
    repository.comments.delete(comment.id);
  }
  repository.threads.delete(number);
  repository.transferredThreads.set(number, moved);
  return moved;
}

/** Moves `updated_at`, as a comment, an edit or a push does; labels and assignees do not. */
export function touch(state: State, thread: Thread): void {
  thread.updatedAt = timestamp(state);
}

/** 410 for the issues of a repository that has them switched off. */
export function issuesDisabled() {
  return gone('Issues has been disabled in this repository.');
}

function close(state: State, thread: Thread, change: ThreadChange & { readonly by: User }): void {
  thread.state = 'closed';
  thread.stateReason = thread.pull ? null : (change.stateReason ?? 'completed');
  thread.closedAt = timestamp(state);
  thread.closedBy = change.by;
}

function reopen(state: State, thread: Thread, by: User): void {
  thread.events.push({ id: takeId(state), actor: by, createdAt: timestamp(state), kind: 'reopened' });
  thread.state = 'open';
  thread.stateReason = thread.pull ? null : 'reopened';
  thread.closedAt = null;
  thread.closedBy = null;
}
