import { accessLevels, levelOf } from './access.ts';
import { timestamp } from './create-state.ts';
import type { MergePart, State, Thread, User } from './model.ts';
import { addSystemNote } from './notes.ts';
import { refuse, unauthorized } from './refusal.ts';
import type { ReviewerState } from './review-model.ts';

/** A merge request's thread, whose half of a merge request is there. */
export interface Reviewed {
  readonly thread: Thread;
  readonly merge: MergePart;
}

/** Checks whether an account may approve: a developer may, but in paid tiers not what it opened itself. */
export function mayApprove(state: State, { thread, merge }: Reviewed, user: User): boolean {
  if (merge.reviews.approvals.has(user) || thread.state === 'merged') return false;
  if (state.tier === 'premium' && thread.author === user) return false;
  return levelOf(state, thread.project, user) >= accessLevels.developer;
}

/**
 * Approves a merge request.
 * @throws {Refusal} 401 for who may not or has already, 409 for another head than was looked at
 * @see https://docs.gitlab.com/api/merge_request_approvals/#approve-merge-request
 */
export function approve(
  state: State,
  reviewed: Reviewed,
  { by, sha }: { readonly by: User; readonly sha?: string | undefined },
): void {
  const { thread, merge } = reviewed;
  if (!mayApprove(state, reviewed, by)) throw unauthorized();
  if (sha !== undefined && sha !== merge.headSha)
    throw refuse(409, `SHA does not match HEAD of source branch: ${merge.headSha}`);
  merge.reviews.approvals.set(by, timestamp(state));
  setReviewerState(merge, by, 'approved');
  addSystemNote(state, thread, { author: by, body: 'approved this merge request' });
}

/** Takes an approval back. @throws {Refusal} 404 where there is none */
export function unapprove(state: State, { thread, merge }: Reviewed, by: User): void {
  if (!merge.reviews.approvals.delete(by)) throw refuse(404, '404 Not found');
  setReviewerState(merge, by, 'unapproved');
  addSystemNote(state, thread, { author: by, body: 'unapproved this merge request' });
}

/** Asks accounts to review a merge request, and others no more. The free tier has one reviewer. */
export function setReviewers(state: State, { thread, merge }: Reviewed, users: readonly User[]): void {
  const { reviewers } = merge.reviews;
  const wanted = state.tier === 'free' ? users.slice(0, 1) : users;
  for (const user of reviewers.keys()) if (!wanted.includes(user)) reviewers.delete(user);
  for (const user of wanted)
    if (!reviewers.has(user)) reviewers.set(user, { since: timestamp(state), state: 'unreviewed' });
  thread.updatedAt = timestamp(state);
}

/**
 * Ends a reviewer's round without an approval; false for an account that is no reviewer and so cannot.
 * @see https://docs.gitlab.com/user/project/merge_requests/reviews/#submit-a-review
 */
export function submitReview(
  state: State,
  { thread, merge }: Reviewed,
  { by, verdict }: { readonly by: User; readonly verdict: 'reviewed' | 'requested_changes' },
): boolean {
  if (!setReviewerState(merge, by, verdict)) return false;
  if (verdict === 'reviewed') return true;
  merge.reviews.approvals.delete(by);
  addSystemNote(state, thread, { author: by, body: 'requested changes' });
  return true;
}

function setReviewerState({ reviews }: MergePart, user: User, state: ReviewerState): boolean {
  const reviewer = reviews.reviewers.get(user);
  if (reviewer) reviewer.state = state;
  return reviewer !== undefined;
}
