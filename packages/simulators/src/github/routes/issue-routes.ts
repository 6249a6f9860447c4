import { z } from 'zod';
import { created, ok } from '../http/answers.ts';
import { paged } from '../http/pagination.ts';
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
import { type Answer, type Route, route } from '../http/route.ts';
import { may } from '../state/access.ts';
import { addAssignees, removeAssignees } from '../state/assignees.ts';
import { setLabels } from '../state/labels.ts';
import type { Thread } from '../state/model.ts';
import { forbidden } from '../state/refusal.ts';
import { editThread, issuesDisabled, openThread } from '../state/threads.ts';
import { showIssue, showSingleIssue } from '../views/issue-view.ts';
import { selectThreads } from './list-issues.ts';

const issues = '/repos/{owner}/{repo}/issues';
const docs = 'issues/issues';

/** Issues, and pull requests as issues. */
export const issueRoutes: readonly Route[] = [
  route(`GET ${issues}`, `${docs}#list-repository-issues`, onRepository(reads('issues'), listIssues)),
  route(`POST ${issues}`, `${docs}#create-an-issue`, onRepository(writes('issues'), createIssue)),
  route(
    `GET ${issues}/{issue_number}`,
    `${docs}#get-an-issue`,
    onThread(reads('issues', 'pull_requests'), (call) => ok(showSingleIssue(call.thread, call.urls))),
  ),
  route(
    `PATCH ${issues}/{issue_number}`,
    `${docs}#update-an-issue`,
    onThread(writes('issues', 'pull_requests'), updateIssue),
  ),
];

const labelNames = z.array(
  z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)]),
);
const text = z.union([z.string(), z.number().transform(String)]);
const creation = z.object({
  title: text,
  body: z.string().nullish(),
  labels: labelNames.optional(),
  assignee: z.string().nullish(),
  assignees: z.array(z.string()).optional(),
});
const change = z.object({
  title: text.nullish(),
  body: z.string().nullish(),
  state: z.enum(['open', 'closed']).optional(),
  state_reason: z.enum(['completed', 'not_planned', 'duplicate', 'reopened']).nullish(),
  labels: labelNames.optional(),
  assignees: z.array(z.string()).optional(),
});

function listIssues(call: RepositoryCall): Answer {
  if (!call.repository.hasIssues) throw issuesDisabled();
  return paged(call, selectThreads(call), (thread) => showIssue(thread, call.urls));
}

function createIssue(call: RepositoryCall): Answer {
  const { title, body, labels, assignee, assignees } = bodyOf(call, creation);
  const author = viewerOf(call);
  const thread = openThread(call.state, call.repository, { author, title, body: body ?? null, pull: null });
  setMetadata(call, thread, { labels, assignees: assignees ?? (assignee ? [assignee] : undefined) });
  return created(showSingleIssue(thread, call.urls));
}

function updateIssue(call: ThreadCall): Answer {
  const { thread } = call;
  const { title, body, state, state_reason: stateReason, labels, assignees } = bodyOf(call, change);
  const by = viewerOf(call);
  if (thread.author !== by && !may(call.repository, by, 'write')) throw forbidden();
  const changesText = [title, body, state].some((value) => value !== undefined);
  if (changesText)
    editThread(call.state, thread, { title: title ?? undefined, body, state, stateReason, by });
  setMetadata(call, thread, { labels, assignees });
  return ok(showSingleIssue(thread, call.urls));
}

/** Without push access GitHub drops labels and assignees in silence. */
function setMetadata(
  call: RepositoryCall,
  thread: Thread,
  metadata: {
    readonly labels: readonly string[] | undefined;
    readonly assignees: readonly string[] | undefined;
  },
): void {
  if (!may(call.repository, call.viewer, 'write')) return;
  const { labels, assignees } = metadata;
  if (labels) {
    setLabels(call.state, thread, { names: labels, by: viewerOf(call) });
  }
  if (assignees) {
    removeAssignees(thread, [...thread.assignees.keys()]);
    addAssignees(call.state, thread, { logins: assignees, by: viewerOf(call) });
  }
}
