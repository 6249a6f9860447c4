import { z } from 'zod';
import { inputOf } from '../http/input.ts';
import { authenticated, onThread, type ThreadCall, viewerOf } from '../http/requirements.ts';
import { type Answer, created, ok, type Route, route } from '../http/route.ts';
import { approve, type Reviewed, unapprove } from '../state/approvals.ts';
import { notFound } from '../state/refusal.ts';
import { showApprovals, showReviewers } from '../views/approval-view.ts';

const mergeRequest = '/projects/{id}/merge_requests/{iid}';

/** Approvals and reviewers. Changes are requested on the page or by a quick action. @see https://docs.gitlab.com/api/merge_request_approvals/ */
export const approvalRoutes: readonly Route[] = [
  route(`GET ${mergeRequest}/approvals`, authenticated(onThread((call) => ok(show(call))))),
  route(`POST ${mergeRequest}/approve`, authenticated(onThread(approveIt))),
  route(`POST ${mergeRequest}/unapprove`, authenticated(onThread(unapproveIt))),
  route(
    `GET ${mergeRequest}/reviewers`,
    authenticated(onThread((call) => ok(showReviewers(call, reviewedOf(call))))),
  ),
];

const approval = z.object({ sha: z.string().optional() });

function approveIt(call: ThreadCall): Answer {
  const { sha } = inputOf(call, approval);
  approve(call.state, reviewedOf(call), { by: viewerOf(call), sha });
  return created(show(call));
}

function unapproveIt(call: ThreadCall): Answer {
  unapprove(call.state, reviewedOf(call), viewerOf(call));
  return created(show(call));
}

function show(call: ThreadCall) {
  return showApprovals(call, reviewedOf(call), call.viewer);
}

function reviewedOf({ thread }: ThreadCall): Reviewed {
  if (!thread.merge) throw notFound();
  return { thread, merge: thread.merge };
}
