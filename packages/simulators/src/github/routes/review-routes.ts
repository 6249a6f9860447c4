import { z } from 'zod';
import { ok } from '../http/answers.ts';
import { paged } from '../http/pagination.ts';
import { bodyOf } from '../http/request-body.ts';
import {
  type Needs,
  numberParameter,
  onPull,
  reads,
  type ThreadCall,
  viewerOf,
  writes,
} from '../http/requirements.ts';
import { type Answer, type Route, route } from '../http/route.ts';
import { listAllReviewComments } from '../reviews/comment-lines.ts';
import { dismissReview, findReview, isVisible, submitReview, writeReview } from '../reviews/write-review.ts';
import { forbidden, unprocessableEntity } from '../state/refusal.ts';
import type { Review } from '../state/review-model.ts';
import { checkBody } from '../state/text-limits.ts';
import { showReview, showReviewComment } from '../views/review-view.ts';
import { places, pullThread, toPlace } from './review-comment-routes.ts';

const reviews = '/repos/{owner}/{repo}/pulls/{pull_number}/reviews';
const docs = 'pulls/reviews';
const reading = reads('pull_requests');
const writing = writes('pull_requests');
const dismissing: Needs = { ...writing, role: 'write' };

/** Reviews of pull requests. */
export const reviewRoutes: readonly Route[] = [
  route(`GET ${reviews}`, `${docs}#list-reviews-for-a-pull-request`, onPull(reading, listReviews)),
  route(`POST ${reviews}`, `${docs}#create-a-review-for-a-pull-request`, onPull(writing, createReview)),
  route(
    `GET ${reviews}/{review_id}`,
    `${docs}#get-a-review-for-a-pull-request`,
    onPull(reading, (call) => show(call, reviewOf(call))),
  ),
  route(
    `PUT ${reviews}/{review_id}`,
    `${docs}#update-a-review-for-a-pull-request`,
    onPull(writing, changeReview),
  ),
  route(
    `DELETE ${reviews}/{review_id}`,
    `${docs}#delete-a-pending-review-for-a-pull-request`,
    onPull(writing, removePending),
  ),
  route(
    `GET ${reviews}/{review_id}/comments`,
    `${docs}#list-comments-for-a-pull-request-review`,
    onPull(reading, listComments),
  ),
  route(
    `POST ${reviews}/{review_id}/events`,
    `${docs}#submit-a-review-for-a-pull-request`,
    onPull(writing, submitPending),
  ),
  route(
    `PUT ${reviews}/{review_id}/dismissals`,
    `${docs}#dismiss-a-review-for-a-pull-request`,
    onPull(dismissing, dismiss),
  ),
];

const events = z.enum(['APPROVE', 'REQUEST_CHANGES', 'COMMENT']);
const creation = z.object({
  commit_id: z.string().optional(),
  body: z.string().nullish(),
  event: events.optional(),
  comments: z.array(z.object({ ...places, body: z.string() })).nullish(),
});

function listReviews(call: ThreadCall): Answer {
  const all = [...pullThread(call).pull.reviews.values()];
  const seen = all.filter((review) => isVisible(review, call.viewer));
  return paged(call, seen, (review) => showReview(call.thread, review, call.urls));
}

async function createReview(call: ThreadCall): Promise<Answer> {
  const { commit_id: commit, body, event, comments } = bodyOf(call, creation);
  const review = await writeReview(call, pullThread(call), {
    author: viewerOf(call),
    event: event ?? null,
    body: body ?? '',
    commit,
    comments: (comments ?? []).map(({ body: text, ...place }) => ({ ...toPlace(place), body: text })),
  });
  return show(call, review);
}

function changeReview(call: ThreadCall): Answer {
  const { body } = bodyOf(call, z.object({ body: z.string() }));
  const review = mine(call);
  checkBody(call.state, 'PullRequestReview', body);
  review.body = body;
  return show(call, review);
}

function removePending(call: ThreadCall): Answer {
  const review = mine(call);
  if (review.state !== 'PENDING')
    throw unprocessableEntity('Can not delete a non-pending pull request review');
  const { pull } = pullThread(call);
  for (const [id, { comments }] of pull.reviewThreads)
    if (comments.some((comment) => comment.review === review)) pull.reviewThreads.delete(id);
  pull.reviews.delete(review.id);
  return show(call, review);
}

function listComments(call: ThreadCall): Answer {
  const review = reviewOf(call);
  const all = listAllReviewComments([call.thread], call.viewer);
  const own = all.filter(({ comment }) => comment.review === review);
  return paged(call, own, (found) => showReviewComment(found, call.urls));
}

function submitPending(call: ThreadCall): Answer {
  const { body, event } = bodyOf(call, z.object({ body: z.string().optional(), event: events }));
  const review = mine(call);
  submitReview(call.state, pullThread(call), { review, event, body });
  return show(call, review);
}

function dismiss(call: ThreadCall): Answer {
  const { message } = bodyOf(call, z.object({ message: z.string(), event: z.literal('DISMISS').optional() }));
  if (message.trim() === '') throw unprocessableEntity("Message can't be blank");
  const review = reviewOf(call);
  dismissReview(call.state, pullThread(call), review);
  return show(call, review);
}

function show(call: ThreadCall, review: Review): Answer {
  return ok(showReview(call.thread, review, call.urls));
}

function reviewOf(call: ThreadCall): Review {
  return findReview(pullThread(call).pull, numberParameter(call, 'review_id'), call.viewer);
}

function mine(call: ThreadCall): Review {
  const review = reviewOf(call);
  if (review.author !== viewerOf(call)) throw forbidden('Can not edit the review of another user');
  return review;
}
