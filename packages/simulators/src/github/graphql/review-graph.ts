import { threadPage } from '../http/urls.ts';
import { listAllReviewComments } from '../reviews/comment-lines.ts';
import { isVisible, type PullThread } from '../reviews/write-review.ts';
import { may } from '../state/access.ts';
import { nodeId } from '../state/node-id.ts';
import { notAccessible } from '../state/refusal.ts';
import type { Review, ReviewComment, ReviewThread } from '../state/review-model.ts';
import { type Asking, connect, type Values } from './asking.ts';
import { graphActor } from './graph-actor.ts';
import type { GraphObject } from './select.ts';

/** Reviews of a pull request and the threads on its lines. @see https://docs.github.com/graphql/reference/objects#pullrequest */
export function graphReviews(pull: PullThread, asking: Asking) {
  const allowed = <Result>(field: string, answer: () => Result): Result | null =>
    asking.token.permissions.pull_requests === 'none'
      ? asking.refuse({ type: 'FORBIDDEN', path: [field], message: notAccessible(asking.token) })
      : answer();
  return {
    reviewDecision: decide(pull),
    reviewThreads: (values: Values) =>
      allowed('reviewThreads', () =>
        connect(
          { name: 'reviewThreads', type: 'PullRequestReviewThread', items: visibleThreads(pull, asking) },
          values,
          (thread) => graphReviewThread(pull, thread, asking),
        ),
      ),
    reviews: (values: Values) =>
      allowed('reviews', () => {
        const items = [...pull.pull.reviews.values()].filter((one) => isVisible(one, asking.viewer));
        return connect({ name: 'reviews', type: 'PullRequestReview', items }, values, (review) =>
          graphReview(pull, review, asking),
        );
      }),
  };
}

/** A thread on a place of the diff. @see https://docs.github.com/graphql/reference/objects#pullrequestreviewthread */
export function graphReviewThread(pull: PullThread, thread: ReviewThread, asking: Asking): GraphObject {
  const { original, current, side, startSide } = thread;
  const mayResolve = mayResolveThreads(pull, asking);
  return {
    __typename: 'PullRequestReviewThread',
    id: nodeId('PullRequestReviewThread', thread.id),
    path: thread.path,
    line: current?.line ?? null,
    startLine: current?.startLine ?? null,
    originalLine: original.line,
    originalStartLine: original.startLine,
    diffSide: side,
    startDiffSide: startSide,
    subjectType: original.line === null ? 'FILE' : 'LINE',
    isOutdated: current === null,
    isResolved: thread.resolvedBy !== null,
    isCollapsed: current === null || thread.resolvedBy !== null,
    resolvedBy: thread.resolvedBy && graphActor(thread.resolvedBy),
    viewerCanReply: true,
    viewerCanResolve: mayResolve && thread.resolvedBy === null,
    viewerCanUnresolve: mayResolve && thread.resolvedBy !== null,
    pullRequest: { __typename: 'PullRequest', number: pull.number },
    comments: (values: Values) =>
      connect(
        { name: 'comments', type: 'PullRequestReviewComment', items: thread.comments },
        values,
        (comment) => graphReviewComment(pull, { thread, comment }, asking),
      ),
  };
}

/** An account resolves threads where it may write, and on its own pull request. */
export function mayResolveThreads({ repository, author }: PullThread, { viewer }: Asking): boolean {
  return author === viewer || may(repository, viewer, 'write');
}

/** A comment on a line, or an answer to one. @see https://docs.github.com/graphql/reference/objects#pullrequestreviewcomment */
export function graphReviewComment(
  pull: PullThread,
  { thread, comment }: { readonly thread: ReviewThread; readonly comment: ReviewComment },
  { urls }: Asking,
): GraphObject {
  const { original, current } = thread;
  const { id, inReplyTo, review } = comment;
  const page = threadPage(urls, pull);
  const commit = (oid: string) => ({ __typename: 'Commit', oid });
  return {
    __typename: 'PullRequestReviewComment',
    id: nodeId('PullRequestReviewComment', id),
    databaseId: id,
    fullDatabaseId: String(id),
    body: comment.body,
    author: graphActor(comment.author),
    createdAt: comment.createdAt,
    updatedAt: comment.updatedAt,
    url: `${page}#discussion_r${id}`,
    path: thread.path,
    diffHunk: thread.diffHunk,
    line: current?.line ?? null,
    startLine: current?.startLine ?? null,
    originalLine: original.line,
    originalStartLine: original.startLine,
    outdated: current === null,
    isMinimized: false,
    state: review.state === 'PENDING' ? 'PENDING' : 'SUBMITTED',
    commit: commit(thread.commit),
    originalCommit: commit(original.commit),
    replyTo:
      inReplyTo === null
        ? null
        : {
            __typename: 'PullRequestReviewComment',
            id: nodeId('PullRequestReviewComment', inReplyTo),
            databaseId: inReplyTo,
          },
    pullRequestReview: {
      __typename: 'PullRequestReview',
      id: nodeId('PullRequestReview', review.id),
      databaseId: review.id,
      state: review.state,
    },
  };
}

function graphReview(pull: PullThread, review: Review, { urls }: Asking): GraphObject {
  return {
    __typename: 'PullRequestReview',
    id: nodeId('PullRequestReview', review.id),
    databaseId: review.id,
    fullDatabaseId: String(review.id),
    author: graphActor(review.author),
    body: review.body,
    state: review.state,
    submittedAt: review.submittedAt,
    commit: { __typename: 'Commit', oid: review.commit },
    url: `${threadPage(urls, pull)}#pullrequestreview-${review.id}`,
  };
}

function visibleThreads(pull: PullThread, { viewer }: Asking): readonly ReviewThread[] {
  const seen = new Set(listAllReviewComments([pull], viewer).map(({ reviewThread }) => reviewThread));
  return [...pull.pull.reviewThreads.values()].filter((thread) => seen.has(thread));
}

/** The last word of each reviewer who may write counts; null where nobody has said one. */
function decide({ pull, repository }: PullThread): string | null {
  const last = new Map<string, string>();
  for (const { author, state } of pull.reviews.values())
    if (state !== 'PENDING' && state !== 'COMMENTED' && may(repository, author, 'write'))
      last.set(author.login, state);
  const words = [...last.values()];
  if (words.includes('CHANGES_REQUESTED')) return 'CHANGES_REQUESTED';
  return words.includes('APPROVED') ? 'APPROVED' : null;
}
