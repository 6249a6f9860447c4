import { z } from 'zod';
import { created, ok } from '../http/answers.ts';
import { bodyOf } from '../http/request-body.ts';
import { onPull, type ThreadCall, writes } from '../http/requirements.ts';
import { type Answer, type Route, route } from '../http/route.ts';
import { associationOf } from '../state/access.ts';
import { Refusal } from '../state/refusal.ts';
import { fullName } from '../state/repositories.ts';
import { findUser } from '../state/users.ts';
import { showPull } from '../views/pull-view.ts';
import { pullThread } from './review-comment-routes.ts';

const address = '/repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers';
const docs = 'pulls/review-requests';
const writing = { ...writes('pull_requests'), role: 'write' } as const;

/** Requests for reviews. */
export const reviewerRoutes: readonly Route[] = [
  route(`POST ${address}`, `${docs}#request-reviewers-for-a-pull-request`, onPull(writing, request)),
  route(
    `DELETE ${address}`,
    `${docs}#remove-requested-reviewers-from-a-pull-request`,
    onPull(writing, withdraw),
  ),
];

const people = z.object({ reviewers: z.array(z.string()).default([]) });

/**
 * The author cannot review, nor can an account that is no collaborator, also if everyone reads the repository.
 *
 * @see https://github.com/kerthcet/github-workflow-as-kube/issues/16 (the 422 for the author)
 * @see https://github.com/peter-evans/create-pull-request/issues/4138 (the 422 for others)
 */
function request(call: ThreadCall): Answer {
  const { pull } = pullThread(call);
  const { repository, author } = call.thread;
  const users = bodyOf(call, people).reviewers.map((login) => findUser(call.state, login));
  if (users.includes(author)) throw refused('Review cannot be requested from pull request author.');
  for (const user of users) {
    if (!user || !['OWNER', 'COLLABORATOR'].includes(associationOf(repository, user)))
      throw refused(
        `Reviews may only be requested from collaborators. One or more of the users or teams you specified is not a collaborator of the ${fullName(repository)} repository.`,
      );
  }
  for (const user of users) if (user) pull.requestedReviewers.add(user);
  return created(show(call));
}

function withdraw(call: ThreadCall): Answer {
  const { pull } = pullThread(call);
  for (const login of bodyOf(call, people).reviewers) {
    const user = findUser(call.state, login);
    if (user) pull.requestedReviewers.delete(user);
  }
  return ok(show(call));
}

function show(call: ThreadCall) {
  const { pull } = pullThread(call);
  return showPull(call.thread, pull, { urls: call.urls, viewer: call.viewer });
}

function refused(message: string): Refusal {
  return new Refusal({ status: 422, message });
}
