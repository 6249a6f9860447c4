import { takeId, timestamp } from './create-state.ts';
import type { Comment, Repository, State, Thread, User } from './model.ts';
import { notFound, validationFailed } from './refusal.ts';
import { checkBody } from './text-limits.ts';
import { touch } from './threads.ts';

/** Writes a comment on an issue or a pull request's conversation. @throws {Refusal} 422 for an empty or too long body */
export function addComment(
  state: State,
  thread: Thread,
  comment: { readonly author: User; readonly body: string },
): Comment {
  checkCommentBody(state, comment.body);
  const created = timestamp(state);
  const added: Comment = {
    ...comment,
    id: takeId(state),
    thread,
    createdAt: created,
    updatedAt: created,
    reactions: new Map(),
    lastEdit: null,
    minimizedReason: null,
  };
  thread.comments.set(added.id, added);
  thread.repository.comments.set(added.id, added);
  touch(state, thread);
  return added;
}

/** Replaces a comment's body. @throws {Refusal} 422 */
export function editComment(
  state: State,
  comment: Comment,
  { body, by }: { readonly body: string; readonly by: User },
): void {
  checkCommentBody(state, body);
  comment.body = body;
  comment.updatedAt = timestamp(state);
  comment.lastEdit = { editor: by, editedAt: comment.updatedAt };
  touch(state, comment.thread);
}

/** Removes a comment without a trace. */
export function deleteComment(state: State, comment: Comment): void {
  comment.thread.comments.delete(comment.id);
  comment.thread.repository.comments.delete(comment.id);
  touch(state, comment.thread);
}

/** @throws {Refusal} 404 */
export function findComment(repository: Repository, id: number): Comment {
  const comment = repository.comments.get(id);
  if (!comment) throw notFound();
  return comment;
}

function checkCommentBody(state: State, body: string): void {
  if (body.trim() === '') {
    const message = 'Body cannot be blank';
    throw validationFailed({ resource: 'IssueComment', code: 'custom', field: 'body', message });
  }
  checkBody(state, 'IssueComment', body);
}
