import { z } from 'zod';
import { created, ok } from '../http/answers.ts';
import { bodyOf } from '../http/request-body.ts';
import {
  onRepository,
  onThread,
  type RepositoryCall,
  reads,
  type ThreadCall,
  viewerOf,
  writes,
} from '../http/requirements.ts';
import { type Answer, parameter, type Route, route } from '../http/route.ts';
import { may } from '../state/access.ts';
import { addAssignees, removeAssignees } from '../state/assignees.ts';
import { notFound } from '../state/refusal.ts';
import { findUser } from '../state/users.ts';
import { showSingleIssue } from '../views/issue-view.ts';

const address = '/repos/{owner}/{repo}/issues/{issue_number}/assignees';
const docs = 'issues/assignees';
const writing = writes('issues', 'pull_requests');

/** Routes of assignees. */
export const assigneeRoutes: readonly Route[] = [
  route(
    'GET /repos/{owner}/{repo}/assignees/{assignee}',
    `${docs}#check-if-a-user-can-be-assigned`,
    onRepository(reads('issues', 'pull_requests'), checkAssignee),
  ),
  route(`POST ${address}`, `${docs}#add-assignees-to-an-issue`, onThread(writing, add)),
  route(`DELETE ${address}`, `${docs}#remove-assignees-from-an-issue`, onThread(writing, remove)),
];

function checkAssignee(call: RepositoryCall): Answer {
  const user = findUser(call.state, parameter(call, 'assignee'));
  if (!user || !may(call.repository, user, 'triage')) throw notFound();
  return { status: 204 };
}

const people = z.object({ assignees: z.array(z.string()).default([]) });

/** Without push access GitHub answers as if it had been done, and does nothing. */
function add(call: ThreadCall): Answer {
  const { assignees } = bodyOf(call, people);
  if (may(call.repository, call.viewer, 'triage'))
    addAssignees(call.state, call.thread, { logins: assignees, by: viewerOf(call) });
  return created(showSingleIssue(call.thread, call.urls));
}

function remove(call: ThreadCall): Answer {
  const { assignees } = bodyOf(call, people);
  if (may(call.repository, call.viewer, 'triage')) removeAssignees(call.thread, assignees);
  return ok(showSingleIssue(call.thread, call.urls));
}
