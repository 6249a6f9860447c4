import { mayApprove, type Reviewed } from '../state/approvals.ts';
import type { User } from '../state/model.ts';
import { type Place, showUser } from './user-view.ts';

/**
 * Approvals of a merge request. Nobody requires any here.
 * @see https://docs.gitlab.com/api/merge_request_approvals/#single-merge-request-approval
 */
export function showApprovals(place: Place, reviewed: Reviewed, viewer: User | null) {
  const { thread, merge } = reviewed;
  const { approvals } = merge.reviews;
  const approvedBy = [...approvals].map(([user, at]) => ({ user: showUser(place, user), approved_at: at }));
  return {
    id: thread.id,
    iid: thread.iid,
    project_id: thread.project.id,
    title: thread.title,
    description: thread.description,
    state: thread.state,
    created_at: thread.createdAt,
    updated_at: thread.updatedAt,
    merge_status: merge.headSha && merge.baseSha ? 'can_be_merged' : 'cannot_be_merged',
    approved: approvals.size > 0,
    approvals_required: 0,
    approvals_left: 0,
    approved_by: approvedBy,
    user_has_approved: viewer !== null && approvals.has(viewer),
    user_can_approve: viewer !== null && mayApprove(place.state, reviewed, viewer),
  };
}

/** Reviewers of a merge request, and how far each is. */
export function showReviewers(place: Place, { merge }: Reviewed) {
  return [...merge.reviews.reviewers].map(([user, { state, since }]) => ({
    user: showUser(place, user),
    state,
    created_at: since,
  }));
}
