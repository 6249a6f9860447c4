import { takeId, timestamp } from '../state/create-state.ts';
import type { Repository, State, Thread, User } from '../state/model.ts';
import { notFound, validationFailed } from '../state/refusal.ts';
import type { Review, ReviewComment, ReviewThread } from '../state/review-model.ts';
import { checkBody } from '../state/text-limits.ts';
import { touch } from '../state/threads.ts';
import type { Placed } from './place-anchor.ts';

const resource = 'PullRequestReviewComment';

/** A comment on a line, where it is found. */
export interface FoundReviewComment {
  readonly thread: Thread;
  readonly reviewThread: ReviewThread;
  readonly comment: ReviewComment;
}

/** Opens a thread on a place of the diff with its first comment. @throws {Refusal} 422 */
export function openReviewThread(
  state: State,
  thread: Thread,
  opening: { readonly review: Review; readonly place: Placed; readonly body: string },
): FoundReviewComment {
  const { review, place, body } = opening;
  const { path, side, startSide, anchor, diffHunk } = place;
  checkCommentBody(state, body);
  const comment = newComment(state, { review, body, inReplyTo: null });
  const reviewThread: ReviewThread = {
    id: takeId(state),
    path,
    side,
    startSide,
    original: anchor,
    diffHunk,
    comments: [comment],
    current: anchor,
    commit: anchor.commit,
    resolvedBy: null,
  };
  thread.pull?.reviewThreads.set(reviewThread.id, reviewThread);
  touch(state, thread);
  return { thread, reviewThread, comment };
}

/** Answers in a thread. @throws {Refusal} 422 */
export function answerInThread(
  state: State,
  { thread, reviewThread }: Omit<FoundReviewComment, 'comment'>,
  { review, body }: { readonly review: Review; readonly body: string },
): FoundReviewComment {
  checkCommentBody(state, body);
  const inReplyTo = reviewThread.comments[0]?.inReplyTo ?? reviewThread.comments[0]?.id ?? null;
  const comment = newComment(state, { review, body, inReplyTo });
  reviewThread.comments.push(comment);
  touch(state, thread);
  return { thread, reviewThread, comment };
}

/** Replaces the text of a comment. @throws {Refusal} 422 */
export function editReviewComment(state: State, { thread, comment }: FoundReviewComment, body: string): void {
  checkCommentBody(state, body);
  comment.body = body;
  comment.updatedAt = timestamp(state);
  touch(state, thread);
}

/** Removes a comment; with the last one of a thread goes the thread, and a review that was nothing else. */
export function deleteReviewComment(state: State, found: FoundReviewComment): void {
  const { thread, reviewThread, comment } = found;
  reviewThread.comments.splice(reviewThread.comments.indexOf(comment), 1);
  if (reviewThread.comments.length === 0) thread.pull?.reviewThreads.delete(reviewThread.id);
  const { review } = comment;
  const others = listAllReviewComments([thread]).some((one) => one.comment.review === review);
  if (!others && review.state === 'COMMENTED' && review.body === '') thread.pull?.reviews.delete(review.id);
  touch(state, thread);
}

/** All comments on lines that everybody sees, or that this account has not submitted yet; ascending by id. */
export function listAllReviewComments(
  threads: Iterable<Thread>,
  viewer: User | null = null,
): readonly FoundReviewComment[] {
  const found = [...threads].flatMap((thread) =>
    [...(thread.pull?.reviewThreads.values() ?? [])].flatMap((reviewThread) =>
      reviewThread.comments.map((comment) => ({ thread, reviewThread, comment })),
    ),
  );
  return found
    .filter(({ comment: { review } }) => review.state !== 'PENDING' || review.author === viewer)
    .sort((one, other) => one.comment.id - other.comment.id);
}

/** @throws {Refusal} 404 */
export function findReviewComment(
  repository: Repository,
  id: number,
  viewer: User | null = null,
): FoundReviewComment {
  const all = listAllReviewComments(repository.threads.values(), viewer);
  const found = all.find(({ comment }) => comment.id === id);
  if (!found) throw notFound();
  return found;
}

function newComment(
  state: State,
  comment: Pick<ReviewComment, 'review' | 'body' | 'inReplyTo'>,
): ReviewComment {
  const created = timestamp(state);
  const { author } = comment.review;
  return {
    ...comment,
    id: takeId(state),
    author,
    createdAt: created,
    updatedAt: created,
    reactions: new Map(),
  };
}

function checkCommentBody(state: State, body: string): void {
  if (body.trim() === '') throw validationFailed({ resource, code: 'missing_field', field: 'body' });
  checkBody(state, resource, body);
}
