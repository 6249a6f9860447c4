import { formatReviewBody, formatSuggestions } from '@agent/text';
import * as z from 'zod';
import type { CheckConclusion, Comment, LineSubject, ReviewSubject } from '../model.ts';
import type { Check } from '../review-ports.ts';
import { commentSchema, toAccount, toComment, userSchema } from './github-answers.ts';

const line = z.number().nullish();

/** A comment on lines of a pull request. */
export const lineCommentSchema = commentSchema.extend({
  path: z.string(),
  line,
  start_line: line,
  original_line: line,
  original_start_line: line,
  side: z.string().nullish(),
  subject_type: z.string().nullish(),
  diff_hunk: z.string().nullish(),
  commit_id: z.string().nullish(),
  original_commit_id: z.string().nullish(),
  in_reply_to_id: z.number().nullish(),
  pull_request_url: z.string().nullish(),
});

/** A review of a pull request. */
export const reviewSchema = z.object({
  id: z.number(),
  user: userSchema.nullish(),
  body: z.string().nullish(),
  state: z.string(),
  submitted_at: z.string().nullish(),
  commit_id: z.string().nullish(),
  html_url: z.string().nullish(),
});

/** A check run of a commit. */
export const checkRunSchema = z.object({
  id: z.number(),
  name: z.string(),
  head_sha: z.string(),
  status: z.string(),
  conclusion: z.string().nullish(),
  started_at: z.string().nullish(),
  completed_at: z.string().nullish(),
  html_url: z.string().nullish(),
  app: z.object({ slug: z.string().nullish() }).nullish(),
  output: z.object({ title: z.string().nullish(), summary: z.string().nullish() }).nullish(),
});

/** A job of a workflow run: what those may read who may not read checks. */
export const jobSchema = checkRunSchema.omit({ app: true, output: true });

/** A status of a commit. */
export const statusSchema = z.object({
  id: z.number(),
  context: z.string(),
  state: z.string(),
  description: z.string().nullish(),
  target_url: z.string().nullish(),
  created_at: z.string(),
  updated_at: z.string().nullish(),
});

/** See `lineCommentSchema`. */
export type GitHubLineComment = z.output<typeof lineCommentSchema>;

/** A comment on lines: where they stand now, else where they stood. */
export function toLineComment(comment: GitHubLineComment): Comment {
  const subject = toLineSubject(comment);
  const { body, ...shown } = toComment(comment);
  return { ...shown, body: formatSuggestions(body, subject), id: `line-${comment.id}`, subject };
}

function toLineSubject(comment: GitHubLineComment): LineSubject {
  const isFile = comment.subject_type === 'file';
  const outdated = !isFile && comment.line == null;
  const last = (outdated ? comment.original_line : comment.line) ?? null;
  const first = (outdated ? comment.original_start_line : comment.start_line) ?? last;
  const commit = outdated ? comment.original_commit_id : comment.commit_id;
  return {
    kind: 'line',
    path: comment.path,
    firstLine: isFile ? null : first,
    lastLine: isFile ? null : last,
    side: comment.side === 'LEFT' ? 'old' : 'new',
    hunk: comment.diff_hunk ?? null,
    commit: commit ?? null,
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

/** A review; null for one that is not submitted, or says nothing. */
export function toReviewComment(review: z.output<typeof reviewSchema>): Comment | null {
  const state = reviewStates[review.state];
  const createdAt = review.submitted_at;
  const body = state === undefined ? null : formatReviewBody(review.body ?? '', state);
  if (state === undefined || createdAt == null || body === null) return null;
  return {
    id: `review-${review.id}`,
    author: toAccount(review.user),
    body,
    createdAt,
    updatedAt: null,
    url: review.html_url ?? null,
    visibility: 'public',
    subject: { kind: 'review', state, commit: review.commit_id ?? null },
  };
}

/** Facts of a check that its answer does not tell. */
interface CheckPlace {
  readonly attempt: number;
  readonly required: boolean | null;
}

const conclusions: ReadonlyMap<string, CheckConclusion> = new Map([
  ['success', 'success'],
  ['failure', 'failure'],
  ['startup_failure', 'failure'],
  ['timed_out', 'timed-out'],
  ['action_required', 'action-required'],
  ['cancelled', 'cancelled'],
  ['neutral', 'neutral'],
  ['skipped', 'skipped'],
  ['stale', 'stale'],
]);

/** An attempt of a check run, or of the job behind one. Its id says which log it has. */
export function toCheck(run: z.output<typeof checkRunSchema>, place: CheckPlace): Check {
  const { output, app } = run;
  const isEnded = run.status === 'completed';
  const words = [output?.title, output?.summary].flatMap((text) => text ?? []);
  return {
    id: app == null || app.slug === 'github-actions' ? `job-${run.id}` : `run-${run.id}`,
    name: run.name,
    head: run.head_sha,
    conclusion: isEnded ? (conclusions.get(run.conclusion ?? '') ?? 'neutral') : null,
    ...place,
    summary: words.join('\n\n'),
    startedAt: run.started_at ?? run.completed_at ?? '',
    endedAt: isEnded ? (run.completed_at ?? null) : null,
    url: run.html_url ?? null,
  };
}

/** A status as an attempt of a check; a pending one has not ended. */
export function toStatusCheck(
  status: z.output<typeof statusSchema>,
  { head, ...place }: CheckPlace & { readonly head: string },
): Check {
  const isEnded = status.state !== 'pending';
  const conclusion = status.state === 'success' ? 'success' : 'failure';
  return {
    id: `status-${status.id}`,
    name: status.context,
    head,
    conclusion: isEnded ? conclusion : null,
    ...place,
    summary: status.description ?? '',
    startedAt: status.created_at,
    endedAt: isEnded ? (status.updated_at ?? status.created_at) : null,
    url: status.target_url ?? null,
  };
}
