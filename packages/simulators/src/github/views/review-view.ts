import { pullApi, repositoryApi, threadPage, type Urls } from '../http/urls.ts';
import type { FoundReviewComment } from '../reviews/comment-lines.ts';
import { associationOf } from '../state/access.ts';
import type { Thread } from '../state/model.ts';
import { nodeId } from '../state/node-id.ts';
import type { Review } from '../state/review-model.ts';
import type { Vendor } from '../vendor.ts';
import { showReactions } from './reaction-view.ts';
import { showAuthor } from './user-view.ts';

/** A review; a pending one has no time of submission. */
export function showReview(thread: Thread, review: Review, urls: Urls): Vendor['pull-request-review'] {
  const { id, author, body, state, submittedAt, commit } = review;
  const page = `${threadPage(urls, thread)}#pullrequestreview-${id}`;
  const api = pullApi(urls, thread);
  return {
    id,
    node_id: nodeId('PullRequestReview', id),
    user: showAuthor(author, urls),
    body,
    state,
    html_url: page,
    pull_request_url: api,
    author_association: associationOf(thread.repository, author),
    _links: { html: { href: page }, pull_request: { href: api } },
    ...(submittedAt ? { submitted_at: submittedAt } : {}),
    commit_id: commit,
  };
}

/** A comment on a line. Its present place is null once it is outdated; the original one stays. */
export function showReviewComment(
  found: FoundReviewComment,
  urls: Urls,
): Vendor['pull-request-review-comment'] {
  const { thread, reviewThread, comment } = found;
  const { original, current } = reviewThread;
  const url = `${repositoryApi(urls, thread.repository)}/pulls/comments/${comment.id}`;
  const page = `${threadPage(urls, thread)}#discussion_r${comment.id}`;
  const pull = pullApi(urls, thread);
  const places = {
    start_line: current?.startLine ?? null,
    original_start_line: original.startLine,
    start_side: reviewThread.startSide,
    line: current?.line ?? null,
    original_line: original.line,
    side: reviewThread.side,
    position: original.line === null ? 1 : (current?.position ?? null),
    original_position: original.position ?? 1,
    subject_type: original.line === null ? ('file' as const) : ('line' as const),
  };
  const shown = {
    url,
    pull_request_review_id: comment.review.id,
    id: comment.id,
    node_id: nodeId('PullRequestReviewComment', comment.id),
    diff_hunk: reviewThread.diffHunk,
    path: reviewThread.path,
    commit_id: reviewThread.commit,
    original_commit_id: original.commit,
    user: showAuthor(comment.author, urls),
    body: comment.body,
    created_at: comment.createdAt,
    updated_at: comment.updatedAt,
    html_url: page,
    pull_request_url: pull,
    author_association: associationOf(thread.repository, comment.author),
    _links: { self: { href: url }, html: { href: page }, pull_request: { href: pull } },
    reactions: showReactions(comment.reactions, `${url}/reactions`),
    ...places,
    ...(comment.inReplyTo === null ? {} : { in_reply_to_id: comment.inReplyTo }),
  };
  // The published schema forgets that what is outdated has no line, and that an author may have been deleted.
  return shown as Vendor['pull-request-review-comment'];
}
