import type { LineSubject, ReviewSubject } from '@agent/platforms';
import { formatReviewBody, formatSuggestions } from '@agent/text';
import * as z from 'zod';
import type { SourceComment } from '../comment.ts';
import { createPagedList, type GitHubPlace } from './octokit-requests.ts';
import type { ThreadList } from './thread-lists.ts';

export const userSchema = z.object({ id: z.number(), login: z.string(), type: z.string().nullish() });
const text = z.string().nullish();
const line = z.number().nullish();

const commentSchema = z.object({
  id: z.number(),
  user: userSchema.nullish(),
  body: text,
  created_at: z.string(),
  updated_at: text,
  html_url: text,
  minimized: z.object({ reason: text }).nullish(),
});

const lineCommentSchema = commentSchema.extend({
  path: z.string(),
  line,
  start_line: line,
  original_line: line,
  original_start_line: line,
  side: text,
  subject_type: text,
  diff_hunk: text,
  commit_id: text,
  original_commit_id: text,
  in_reply_to_id: line,
});

const reviewSchema = z.object({
  id: z.number(),
  user: userSchema.nullish(),
  body: text,
  state: z.string(),
  submitted_at: text,
  commit_id: text,
  html_url: text,
});

const issueRoute = 'GET /repos/{owner}/{repo}/issues';
const pullRoute = 'GET /repos/{owner}/{repo}/pulls';

/** @see https://docs.github.com/en/rest/issues/comments#list-issue-comments */
export function createConversation(place: GitHubPlace): ThreadList {
  return createPagedList(place, {
    ...{ name: 'conversation', idPrefix: '', hasSince: true, words: 'comments' },
    route: `${issueRoute}/{issue_number}/comments`,
    itemRoute: `${issueRoute}/comments/{item}`,
    item: commentSchema.transform((one) => (isHidden(one) ? null : toComment(one))),
  });
}

/** @see https://docs.github.com/en/rest/pulls/comments#list-review-comments-on-a-pull-request */
export function createLineComments(place: GitHubPlace): ThreadList {
  return createPagedList(place, {
    ...{ name: 'lines', idPrefix: 'line-', hasSince: true, words: 'line comments' },
    route: `${pullRoute}/{pull_number}/comments`,
    itemRoute: `${pullRoute}/comments/{item}`,
    item: lineCommentSchema.transform((one) => (isHidden(one) ? null : toLineComment(one))),
  });
}

/**
 * The list of reviews knows no time of change. It is read as a whole, and costs nothing of the limit if nothing changed.
 *
 * @see https://docs.github.com/en/rest/pulls/reviews#list-reviews-for-a-pull-request
 */
export function createReviews(place: GitHubPlace): ThreadList {
  const route = `${pullRoute}/{pull_number}/reviews`;
  return createPagedList(place, {
    ...{ name: 'reviews', idPrefix: 'review-', hasSince: false, words: 'reviews' },
    route,
    itemRoute: `${route}/{item}`,
    item: reviewSchema.transform(toReview),
  });
}

/** A comment that a maintainer has hidden as spam, abuse or off-topic counts as deleted. */
function isHidden({ minimized }: z.output<typeof commentSchema>): boolean {
  return /^(?:spam|abuse|off[-_ ]?topic)$/iu.test(minimized?.reason ?? '');
}

/** Converts an account. */
export function toAuthor(user: z.output<typeof userSchema> | null | undefined): SourceComment['author'] {
  if (!user) return null;
  return { id: String(user.id), login: user.login, kind: user.type === 'Bot' ? 'bot' : 'person' };
}

function toComment({
  id,
  user,
  body,
  created_at,
  updated_at,
  html_url,
}: z.output<typeof commentSchema>): SourceComment {
  return {
    id: String(id),
    author: toAuthor(user),
    body: body ?? '',
    createdAt: created_at,
    updatedAt: updated_at ?? null,
    url: html_url ?? null,
  };
}

function toLineComment(comment: z.output<typeof lineCommentSchema>): SourceComment {
  const subject = toLineSubject(comment);
  const { body, ...shown } = toComment(comment);
  return { ...shown, id: `line-${comment.id}`, body: formatSuggestions(body, subject), subject };
}

/** The lines as they are now, else as they were. */
function toLineSubject(comment: z.output<typeof lineCommentSchema>): LineSubject {
  const isFile = comment.subject_type === 'file';
  const outdated = !isFile && comment.line == null;
  const last = (outdated ? comment.original_line : comment.line) ?? null;
  const first = (outdated ? comment.original_start_line : comment.start_line) ?? last;
  return {
    kind: 'line',
    path: comment.path,
    firstLine: isFile ? null : first,
    lastLine: isFile ? null : last,
    side: comment.side === 'LEFT' ? 'old' : 'new',
    hunk: comment.diff_hunk ?? null,
    commit: (outdated ? comment.original_commit_id : comment.commit_id) ?? null,
    outdated,
    resolved: null,
    reviewThread: String(comment.in_reply_to_id ?? comment.id),
  };
}

const reviewStates: Readonly<Record<string, ReviewSubject['state']>> = {
  APPROVED: 'approved',
  CHANGES_REQUESTED: 'changes-requested',
  COMMENTED: 'commented',
  DISMISSED: 'dismissed',
};

/** Null for a review that is not submitted, or says nothing. */
function toReview(review: z.output<typeof reviewSchema>): SourceComment | null {
  const state = reviewStates[review.state];
  const body = state === undefined ? null : formatReviewBody(review.body ?? '', state);
  if (state === undefined || body === null || review.submitted_at == null) return null;
  return {
    id: `review-${review.id}`,
    author: toAuthor(review.user),
    body,
    createdAt: review.submitted_at,
    updatedAt: null,
    url: review.html_url ?? null,
    subject: { kind: 'review', state, commit: review.commit_id ?? null },
  };
}
