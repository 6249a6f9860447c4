import { accessLevels, levelOf } from './access.ts';
import { timestamp } from './create-state.ts';
import type { Discussion, Note, State, Thread, User } from './model.ts';
import { addNote } from './notes.ts';
import { badRequest, forbidden, notFound } from './refusal.ts';

/** The discussion of a thread. @throws {Refusal} 404 */
export function findDiscussion(thread: Thread, id: string): Discussion {
  const discussion = thread.discussions.get(id);
  if (!discussion) throw notFound('Discussion');
  return discussion;
}

/** Kind of a note as the API names it; null for one by itself. */
export function noteType({ discussion }: Note): 'DiffNote' | 'DiscussionNote' | null {
  if (discussion.kind === 'single') return null;
  return discussion.kind === 'diff' ? 'DiffNote' : 'DiscussionNote';
}

/** Checks whether somebody can settle a discussion at all: threads on merge requests. */
export function isResolvable(thread: Thread, { kind }: Discussion): boolean {
  return thread.merge !== null && kind !== 'single';
}

/**
 * Answers in a discussion; a single note becomes a thread by it.
 * @throws {Refusal} 400 for a note of GitLab's own or a body that is refused
 */
export function answerDiscussion(
  state: State,
  thread: Thread,
  { discussion, ...note }: { readonly discussion: Discussion; readonly author: User; readonly body: string },
): Note {
  if (discussion.notes[0]?.system) throw badRequest('Discussion can not be replied to.');
  const added = addNote(state, thread, { ...note, discussion });
  if (discussion.kind === 'single') discussion.kind = 'thread';
  return added;
}

/**
 * Settles a thread or opens it again. Neither is told by the times of its notes.
 * @throws {Refusal} 403 for who is neither its merge request's author nor a developer, and for what is no thread
 * @see https://docs.gitlab.com/api/discussions/#resolve-a-merge-request-thread
 */
export function resolveDiscussion(
  state: State,
  thread: Thread,
  change: { readonly discussion: Discussion; readonly by: User; readonly resolved: boolean },
): void {
  const { discussion, by, resolved } = change;
  const isAllowed = thread.author === by || levelOf(state, thread.project, by) >= accessLevels.developer;
  if (!isResolvable(thread, discussion) || !isAllowed) throw forbidden();
  if (resolved) discussion.resolved ??= { by, at: timestamp(state) };
  else discussion.resolved = null;
}

/** Checks whether nobody waits for an answer on a merge request. */
export function areDiscussionsResolved(thread: Thread): boolean {
  return [...thread.discussions.values()].every(
    (discussion) => discussion.resolved !== null || !isResolvable(thread, discussion),
  );
}
