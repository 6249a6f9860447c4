import { takeId, timestamp } from '../state/create-state.ts';
import type { Pull, State, Thread, User } from '../state/model.ts';
import { notFound, unprocessableEntity } from '../state/refusal.ts';
import type { Review, ReviewComment, ReviewState, ReviewThread } from '../state/review-model.ts';
import { checkBody } from '../state/text-limits.ts';
import { touch } from '../state/threads.ts';
import type { World } from '../state/world.ts';
import { answerInThread, type FoundReviewComment, openReviewThread } from './comment-lines.ts';
import { followLines } from './follow-lines.ts';
import { asComment, asReview, checkCommit, type Place, placeAnchor } from './place-anchor.ts';

/** What a reviewer sends away. */
export type ReviewEvent = 'APPROVE' | 'REQUEST_CHANGES' | 'COMMENT';

/** A pull request's thread, whose half of a pull request is there. */
export type PullThread = Thread & { readonly pull: Pull };

export interface NewReview {
  readonly author: User;
  /** Null leaves it pending. */
  readonly event: ReviewEvent | null;
  readonly body: string;
  /** Default: the head. */
  readonly commit?: string | undefined;
  readonly comments: readonly (Place & { readonly body: string })[];
}

const states: Readonly<Record<ReviewEvent, ReviewState>> = {
  APPROVE: 'APPROVED',
  REQUEST_CHANGES: 'CHANGES_REQUESTED',
  COMMENT: 'COMMENTED',
};

/**
 * Writes a review with all its comments, or nothing.
 * @throws {Refusal} 422 for an empty one, the author's own approval, a second pending one, or a place that the diff has not
 * @see https://docs.github.com/rest/pulls/reviews#create-a-review-for-a-pull-request
 */
export async function writeReview(world: World, thread: PullThread, written: NewReview): Promise<Review> {
  const { state } = world;
  const { pull, repository } = thread;
  const { author, event, body, comments, commit = pull.headSha } = written;
  checkBody(state, 'PullRequestReview', body);
  await checkCommit(world, { repository, pull }, { commit, resource: 'PullRequestReview' });
  const places = await Promise.all(
    comments.map((place) => placeAnchor(world, { repository, pull, commit }, { place, wording: asReview })),
  );
  // From here on nothing is awaited: two pending reviews of one account must not both find none.
  if (pendingOf(pull, author))
    throw unprocessableEntity('User can only have one pending review per pull request');
  if (event) checkEvent(thread, { author, event, hasText: body !== '' || comments.length > 0 });
  const review = addReview(state, thread, { author, body, commit });
  for (const [index, place] of places.entries())
    openReviewThread(state, thread, { review, place, body: comments[index]?.body ?? '' });
  if (event) submit(state, thread, { review, event });
  await followLines(world, thread);
  return review;
}

/** Writes a single comment on a line, which is a review without a text. @throws {Refusal} 422 */
export async function commentOnLine(
  world: World,
  thread: PullThread,
  written: { readonly author: User; readonly body: string; readonly commit: string; readonly place: Place },
): Promise<FoundReviewComment> {
  const { state } = world;
  const { pull, repository } = thread;
  const { author, body, commit } = written;
  await checkCommit(world, { repository, pull }, { commit, resource: 'PullRequestReviewComment' });
  const wanted = { place: written.place, wording: asComment };
  const place = await placeAnchor(world, { repository, pull, commit }, wanted);
  const found = alone(state, thread, { author, commit }, (review) =>
    openReviewThread(state, thread, { review, place, body }),
  );
  await followLines(world, thread);
  return found;
}

/** Answers a comment on a line, which is a review without a text, too. @throws {Refusal} 422 */
export function replyOnLine(
  state: State,
  thread: PullThread,
  reply: { readonly to: ReviewThread; readonly author: User; readonly body: string },
): FoundReviewComment {
  const { to: reviewThread, author, body } = reply;
  return alone(state, thread, { author, commit: thread.pull.headSha }, (review) =>
    answerInThread(state, { thread, reviewThread }, { review, body }),
  );
}

/** Writes in a review of its own, which is there only when the writing succeeds. */
function alone(
  state: State,
  thread: PullThread,
  review: { readonly author: User; readonly commit: string },
  write: (review: Review) => FoundReviewComment,
): FoundReviewComment {
  const added = addReview(state, thread, { ...review, body: '' });
  try {
    const found = write(added);
    submit(state, thread, { review: added, event: 'COMMENT' });
    return found;
  } catch (error) {
    thread.pull.reviews.delete(added.id);
    throw error;
  }
}

/** Submits a pending review. @throws {Refusal} 422 */
export function submitReview(
  state: State,
  thread: PullThread,
  sent: { readonly review: Review; readonly event: ReviewEvent; readonly body: string | undefined },
): void {
  const { review, event, body = review.body } = sent;
  if (review.state !== 'PENDING') throw unprocessableEntity('Could not submit review');
  const hasText = body !== '' || listReviewComments(thread.pull, review).length > 0;
  checkEvent(thread, { author: review.author, event, hasText });
  review.body = body;
  submit(state, thread, { review, event });
}

/** Takes the weight off an approval or a request for changes. @throws {Refusal} 422 for any other review */
export function dismissReview(state: State, thread: PullThread, review: Review): void {
  if (review.state !== 'APPROVED' && review.state !== 'CHANGES_REQUESTED')
    throw unprocessableEntity(`Can not dismiss a ${review.state.toLowerCase()} pull request review`);
  review.state = 'DISMISSED';
  touch(state, thread);
}

/** A new review that nobody but its author sees yet. */
function addReview(
  state: State,
  { pull }: PullThread,
  review: { readonly author: User; readonly body: string; readonly commit: string },
): Review {
  const added: Review = { ...review, id: takeId(state), state: 'PENDING', submittedAt: null };
  pull.reviews.set(added.id, added);
  return added;
}

/** @throws {Refusal} 404, also for what another account has not submitted yet */
export function findReview(pull: Pull, id: number, viewer: User | null): Review {
  const review = pull.reviews.get(id);
  if (!review || !isVisible(review, viewer)) throw notFound();
  return review;
}

/** Tells whether an account sees a review: pending ones are their author's. */
export function isVisible({ state, author }: Review, viewer: User | null): boolean {
  return state !== 'PENDING' || author === viewer;
}

/** Comments that came with a review, oldest first. */
function listReviewComments(pull: Pull, review: Review): readonly ReviewComment[] {
  const all = [...pull.reviewThreads.values()].flatMap(({ comments }) => comments);
  return all.filter((comment) => comment.review === review).sort((one, other) => one.id - other.id);
}

/** Makes it public, as what it says. */
function submit(
  state: State,
  thread: Thread,
  { review, event }: { readonly review: Review; readonly event: ReviewEvent },
): void {
  review.state = states[event];
  review.submittedAt = timestamp(state);
  // The request is answered by it.
  thread.pull?.requestedReviewers.delete(review.author);
  touch(state, thread);
}

function pendingOf(pull: Pull, author: User): Review | undefined {
  return [...pull.reviews.values()].find((one) => one.state === 'PENDING' && one.author === author);
}

function checkEvent(
  thread: Thread,
  sent: { readonly author: User; readonly event: ReviewEvent; readonly hasText: boolean },
): void {
  const isOwn = thread.author === sent.author;
  if (isOwn && sent.event === 'APPROVE') throw unprocessableEntity('Can not approve your own pull request');
  if (isOwn && sent.event === 'REQUEST_CHANGES')
    throw unprocessableEntity('Can not request changes on your own pull request');
  if (sent.event !== 'APPROVE' && !sent.hasText) throw unprocessableEntity("Review body can't be blank");
}
