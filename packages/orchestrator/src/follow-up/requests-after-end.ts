import { compareComments } from '@agent/comment-detection';
import {
  type Account,
  type CallOptions,
  type Comment,
  formatTaskKey,
  type PlatformThread,
  type ReviewPorts,
} from '@agent/platforms';
import { parseCommentMarker } from '@agent/platforms/comments';
import { joinSources } from '@agent/platforms/sources';
import { isMentioned, readReviewText } from '@agent/text';
import type { FollowUpSettings } from '../config/follow-up-settings.ts';
import type { ConfiguredPlatform } from '../run/run-thread.ts';
import { asksForNothing } from '../thread/review-sources.ts';
import type { CleanText } from '../thread/text-guard.ts';
import { type IsTrusted, isOwnComment } from '../thread/trust.ts';
import { asksForMore } from './decide-follow-up.ts';
import type { EndedRun } from './ended-runs.ts';

/** Milliseconds that the clocks of this machine and of a platform may be apart. */
export const clockSkewMs = 27 * 3_600_000;

/** Request of a trusted user for another run, on a thread whose run has ended. */
export interface RequestAfterEnd {
  /** Id of the last comment, or of the event that reopened the thread. */
  readonly id: string;
  readonly by: Account;
  /** ISO 8601, by the platform's clock: title, text and head of this time are what the run works on. */
  readonly since: string;
  /** Comments that the run opens with, oldest first; empty for a thread that was reopened. */
  readonly comments: readonly Comment[];
}

/** A thread whose run has ended, as it is read. */
export interface ReadEndedThread {
  readonly configured: Pick<ConfiguredPlatform, 'platform' | 'trigger'>;
  readonly ports: PlatformThread;
  readonly run: EndedRun;
  readonly isTrusted: IsTrusted;
}

/** Finds who reopened a thread whose run was stopped by closing it; null if no trusted user did. */
export async function findReopening(
  { ports, run, isTrusted }: ReadEndedThread,
  { signal }: CallOptions,
): Promise<RequestAfterEnd | null> {
  const event = (await ports.history?.lastReopened?.({ signal })) ?? null;
  // An event from before the run was not its resumption.
  const isOld = event !== null && run.givenAt !== null && Date.parse(event.at) <= Date.parse(run.givenAt);
  if (event === null || event.actor === null || isOld) return null;
  if (!(await isTrusted(event.actor, { fresh: true, signal }))) return null;
  return { id: `reopened:${event.at}`, by: event.actor, since: event.at, comments: [] };
}

/** Finds what trusted users asked for in comments after the last final comment; null if there is nothing. */
export async function findCommentRequest(
  { configured: { platform, trigger }, ports, run, isTrusted }: ReadEndedThread,
  {
    settings,
    reviews,
    ignored,
    clean,
    signal,
  }: CallOptions & {
    readonly settings: Pick<FollowUpSettings, 'on_comment'>;
    /** Setting `comment_detection.include_review_comments`. */
    readonly reviews: boolean | 'own';
    readonly ignored: readonly string[];
    readonly clean: CleanText;
  },
): Promise<RequestAfterEnd | null> {
  const ownAccount = await platform.identity.whoAmI({ signal });
  const endedAt = Date.parse(run.endedAt);
  const since = new Date(endedAt - clockSkewMs).toISOString();
  // The draft of a task is filed under its issue.
  const isOwnDraft = run.taskKeyText !== formatTaskKey(ports.key);
  const hasReviews = reviews === true || (reviews === 'own' && isOwnDraft);
  const review = hasReviews ? (platform.openReview?.(ports.key) ?? null) : null;
  const comments = await listSaid({ ports, review }, { since, signal });
  const isFinal = (comment: Comment) =>
    isOwnComment(comment, ownAccount) && parseCommentMarker(comment.body)?.endsWith(':final') === true;
  const final = comments.filter(isFinal).at(-1);
  // Times of GitHub have whole seconds: a comment of the second in which the run ended may be a later one.
  const endedIn = Math.floor(endedAt / 1_000) * 1_000;
  const isLater = (comment: Comment) =>
    final === undefined ? Date.parse(comment.createdAt) >= endedIn : compareComments(comment, final) > 0;
  const { login } = ownAccount;
  const asked: Comment[] = [];
  let by: Account | null = null;
  for (const comment of comments.filter(isLater)) {
    const { author, subject } = comment;
    const isResolved = subject?.kind === 'line' && subject.resolved;
    if (isResolved || asksForNothing(subject)) continue;
    if (author === null || author.kind === 'bot' || isOwnComment(comment, ownAccount)) continue;
    if (ignored.includes(author.login.toLowerCase())) continue;
    const body = await clean(comment.body, comment.url);
    // Mentions begin runs of their own there.
    if (trigger.beginsByMention === true && isMentioned(body, login)) continue;
    const isRemark = subject?.kind === 'review' && subject.state === 'commented';
    const text = isRemark ? readReviewText(body, subject.state) : body;
    if (!asksForMore({ body: text }, { onComment: settings.on_comment, login })) continue;
    if (!(await isTrusted(author, { signal }))) continue;
    asked.push(comment);
    by = author;
  }
  const last = asked.at(-1);
  if (last === undefined || by === null || !(await isTrusted(by, { fresh: true, signal }))) return null;
  return { id: last.id, by, since: last.updatedAt ?? last.createdAt, comments: asked };
}

/** Lists the conversation, with line comments and reviews where they are opened, oldest first. Parts that the token cannot read are left out. */
async function listSaid(
  {
    ports: { comments },
    review,
  }: {
    readonly ports: Pick<PlatformThread, 'comments'>;
    readonly review: Pick<ReviewPorts, 'lines' | 'reviews'> | null;
  },
  { since, signal }: CallOptions & { readonly since: string },
): Promise<readonly Comment[]> {
  const { lines = null, reviews = null } = review ?? {};
  const parts = [
    { name: 'conversation', source: comments, idPrefix: '' },
    ...(lines === null ? [] : [{ name: 'lines', source: lines, idPrefix: 'line-', mayLack: true }]),
    ...(reviews === null ? [] : [{ name: 'reviews', source: reviews, idPrefix: 'review-', mayLack: true }]),
  ];
  const cursor = JSON.stringify(Object.fromEntries(parts.map(({ name }) => [name, since])));
  return (await joinSources(parts).listComments({ since: cursor, signal })).comments;
}
