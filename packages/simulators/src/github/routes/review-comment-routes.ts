import { z } from 'zod';
import { created, noContent, ok } from '../http/answers.ts';
import { paged } from '../http/pagination.ts';
import { bodyOf } from '../http/request-body.ts';
import {
  numberParameter,
  onPull,
  onRepository,
  type RepositoryCall,
  reads,
  type ThreadCall,
  viewerOf,
  writes,
} from '../http/requirements.ts';
import { type Answer, type Route, route } from '../http/route.ts';
import { syncPulls } from '../pulls/sync-pulls.ts';
import {
  deleteReviewComment,
  editReviewComment,
  type FoundReviewComment,
  findReviewComment,
  listAllReviewComments,
} from '../reviews/comment-lines.ts';
import type { Place } from '../reviews/place-anchor.ts';
import { commentOnLine, type PullThread, replyOnLine } from '../reviews/write-review.ts';
import { notFound, validationFailed } from '../state/refusal.ts';
import { showReviewComment } from '../views/review-view.ts';
import { changedSince, inAskedOrder, mustOwn } from './list-comments.ts';

const pulls = '/repos/{owner}/{repo}/pulls';
const docs = 'pulls/comments';
const reading = reads('pull_requests');
const writing = writes('pull_requests');

/** Comments on lines of pull requests. */
export const reviewCommentRoutes: readonly Route[] = [
  // Before the routes with a pull request's number, which "comments" is not.
  route(
    `GET ${pulls}/comments`,
    `${docs}#list-review-comments-in-a-repository`,
    onRepository(reading, listRepositoryComments),
  ),
  route(
    `GET ${pulls}/comments/{comment_id}`,
    `${docs}#get-a-review-comment-for-a-pull-request`,
    onRepository(reading, (call) => ok(showReviewComment(commentOf(call), call.urls))),
  ),
  route(
    `PATCH ${pulls}/comments/{comment_id}`,
    `${docs}#update-a-review-comment-for-a-pull-request`,
    onRepository(writing, updateComment),
  ),
  route(
    `DELETE ${pulls}/comments/{comment_id}`,
    `${docs}#delete-a-review-comment-for-a-pull-request`,
    onRepository(writing, removeComment),
  ),
  route(
    `GET ${pulls}/{pull_number}/comments`,
    `${docs}#list-review-comments-on-a-pull-request`,
    onPull(reading, listPullComments),
  ),
  route(
    `POST ${pulls}/{pull_number}/comments`,
    `${docs}#create-a-review-comment-for-a-pull-request`,
    onPull(writing, createComment),
  ),
  route(
    `POST ${pulls}/{pull_number}/comments/{comment_id}/replies`,
    `${docs}#create-a-reply-for-a-review-comment`,
    onPull(writing, (call) => {
      const { body } = bodyOf(call, z.object({ body: z.string() }));
      return reply(call, { to: numberParameter(call, 'comment_id'), body });
    }),
  ),
];

const side = z.enum(['LEFT', 'RIGHT']);

/** Fields of a request that say where a comment belongs. */
export const places = {
  path: z.string(),
  line: z.int().optional(),
  side: side.optional(),
  start_line: z.int().nullish(),
  start_side: z.enum(['LEFT', 'RIGHT', 'side']).nullish(),
  position: z.int().optional(),
  subject_type: z.enum(['line', 'file']).optional(),
};
const place = z.object(places);

/** The place that these fields say. */
export function toPlace(fields: z.infer<typeof place>): Place {
  const { start_line: startLine, start_side: startSide, subject_type: subject, ...rest } = fields;
  return {
    ...rest,
    startLine: startLine ?? undefined,
    startSide: startSide === 'side' ? undefined : (startSide ?? undefined),
    isFile: subject === 'file',
  };
}

async function listRepositoryComments(call: RepositoryCall): Promise<Answer> {
  await syncPulls(call, call.repository, call.repository.owner);
  return list(call, listAllReviewComments(call.repository.threads.values(), call.viewer));
}

async function listPullComments(call: ThreadCall): Promise<Answer> {
  await syncPulls(call, call.repository, call.repository.owner);
  return list(call, listAllReviewComments([call.thread], call.viewer));
}

function list(call: RepositoryCall, all: readonly FoundReviewComment[]): Answer {
  const changing = all.map((found) => ({ ...found.comment, found }));
  const wanted = inAskedOrder(call, changedSince(call, changing));
  return paged(call, wanted, ({ found }) => showReviewComment(found, call.urls));
}

async function createComment(call: ThreadCall): Promise<Answer> {
  const { body, in_reply_to: to } = bodyOf(
    call,
    z.object({ body: z.string(), in_reply_to: z.int().optional() }),
  );
  // With it everything but the text is ignored.
  if (to !== undefined) return reply(call, { to, body });
  const { commit_id: commit, ...fields } = bodyOf(call, z.object({ ...places, commit_id: z.string() }));
  const written = { author: viewerOf(call), body, commit, place: toPlace(fields) };
  const found = await commentOnLine(call, pullThread(call), written);
  return created(showReviewComment(found, call.urls));
}

/** Answers to answers are not supported. */
function reply(call: ThreadCall, { to, body }: { readonly to: number; readonly body: string }): Answer {
  const { reviewThread, comment } = findReviewComment(call.repository, to, call.viewer);
  const isHere = call.thread.pull?.reviewThreads.has(reviewThread.id);
  if (!isHere) throw notFound();
  if (comment.inReplyTo !== null)
    throw validationFailed({
      resource: 'PullRequestReviewComment',
      code: 'invalid',
      field: 'in_reply_to',
    });
  const found = replyOnLine(call.state, pullThread(call), { to: reviewThread, author: viewerOf(call), body });
  return created(showReviewComment(found, call.urls));
}

function updateComment(call: RepositoryCall): Answer {
  const found = commentOf(call);
  const { body } = bodyOf(call, z.object({ body: z.string() }));
  mustOwn(call, found.comment);
  editReviewComment(call.state, found, body);
  return ok(showReviewComment(found, call.urls));
}

function removeComment(call: RepositoryCall): Answer {
  const found = commentOf(call);
  mustOwn(call, found.comment);
  deleteReviewComment(call.state, found);
  return noContent();
}

function commentOf(call: RepositoryCall): FoundReviewComment {
  return findReviewComment(call.repository, numberParameter(call, 'comment_id'), call.viewer);
}

/** The thread with its half of a pull request. @throws {Refusal} 404 for an issue */
export function pullThread({ thread }: ThreadCall): PullThread {
  if (!isPull(thread)) throw notFound();
  return thread;
}

function isPull(thread: ThreadCall['thread']): thread is PullThread {
  return thread.pull !== null;
}
