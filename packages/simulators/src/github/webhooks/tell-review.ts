import type { Urls } from '../http/urls.ts';
import { type FoundReviewComment, findReviewComment } from '../reviews/comment-lines.ts';
import { findReview } from '../reviews/write-review.ts';
import type { Repository, Thread } from '../state/model.ts';
import { nodeId } from '../state/node-id.ts';
import { findThread } from '../state/threads.ts';
import { showPull } from '../views/pull-view.ts';
import { showReview, showReviewComment } from '../views/review-view.ts';
import type { ReviewHappening } from './happening.ts';
import type { Told } from './told.ts';

/** Tells of a review, a comment on a line, or its thread. */
export function tellReview(repository: Repository, happening: ReviewHappening, urls: Urls): Told {
  const { event, action } = happening;
  if (event === 'pull_request_review') {
    const thread = findThread(repository, happening.number);
    const { pull } = thread;
    if (!pull) throw new Error(`#${thread.number} is no pull request.`);
    const review = findReview(pull, happening.reviewId, null);
    // The state of a review is in small letters here, and its empty text is null.
    const { state, body, ...shown } = showReview(thread, review, urls);
    const told = { ...shown, state: state.toLowerCase(), body: body === '' ? null : body };
    return { sender: review.author, action, review: told, ...tellPull(thread, urls) };
  }
  const found = findReviewComment(repository, happening.commentId);
  if (event === 'pull_request_review_comment')
    return {
      sender: found.comment.author,
      action,
      comment: showReviewComment(found, urls),
      ...tellPull(found.thread, urls),
    };
  const { reviewThread } = found;
  return {
    sender: reviewThread.resolvedBy ?? found.thread.author,
    action,
    thread: tellThread(found, urls),
    ...tellPull(found.thread, urls),
  };
}

function tellThread({ thread, reviewThread }: FoundReviewComment, urls: Urls) {
  const comments = reviewThread.comments.map((comment) =>
    showReviewComment({ thread, reviewThread, comment }, urls),
  );
  return { node_id: nodeId('PullRequestReviewThread', reviewThread.id), comments };
}

function tellPull(thread: Thread, urls: Urls) {
  const { pull } = thread;
  return pull ? { pull_request: showPull(thread, pull, { urls, viewer: null }) } : {};
}
