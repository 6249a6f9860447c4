import { z } from 'zod';
import { boolean, filled, inputOf } from '../http/input.ts';
import {
  authenticated,
  onProject,
  onThread,
  type ProjectCall,
  type ThreadCall,
  viewerOf,
} from '../http/requirements.ts';
import { type Answer, type Call, created, ok, type Route, route } from '../http/route.ts';
import { accessLevels, groupsAbove } from '../state/access.ts';
import { editThread } from '../state/edit-thread.ts';
import type { Thread } from '../state/model.ts';
import { forbidden, notFound } from '../state/refusal.ts';
import { openThread } from '../state/threads.ts';
import { showIssue } from '../views/issue-view.ts';
import { listThreads } from './list-threads.ts';
import { listEverywhere, removeThread, requireSomeField } from './thread-actions.ts';
import { editFields, readEdit, readMetadata, threadFields } from './thread-input.ts';

const issues = '/projects/{id}/issues';

/** Issues. @see https://docs.gitlab.com/api/issues/ */
export const issueRoutes: readonly Route[] = [
  route('GET /issues', listAll),
  route('GET /groups/{group}/issues', listOfGroup),
  route(
    `GET ${issues}`,
    onProject((call) => list(call, enabledIssues(call))),
  ),
  route(`POST ${issues}`, authenticated(onProject(createIssue))),
  route(
    `GET ${issues}/{iid}`,
    onThread((call) => ok(showIssue(call, call.thread))),
  ),
  route(`PUT ${issues}/{iid}`, authenticated(onThread(updateIssue))),
  route(`DELETE ${issues}/{iid}`, authenticated(onThread(removeThread))),
];

const creation = z.object({ title: z.string(), confidential: boolean.optional(), ...threadFields });
const change = z.object({
  title: filled.optional(),
  confidential: boolean.optional(),
  ...threadFields,
  ...editFields,
});

function listAll(call: Call): Answer {
  return listEverywhere(call, { areMergeRequests: false, show: (thread) => showIssue(call, thread) });
}

function listOfGroup(call: Call): Answer {
  const group = call.parameters.group?.toLowerCase() ?? '';
  const projects = [...call.state.projects.values()].filter((project) =>
    groupsAbove(project).includes(group),
  );
  if (!call.state.groups.has(group)) throw notFound('Group');
  return list(
    call,
    projects.flatMap((project) => [...project.issues.values()]),
  );
}

function list(call: Call, threads: Iterable<Thread>): Answer {
  return listThreads(call, threads, { show: (thread) => showIssue(call, thread) });
}

function enabledIssues(call: ProjectCall): Iterable<Thread> {
  return call.project.issuesEnabled ? call.project.issues.values() : [];
}

function createIssue(call: ProjectCall): Answer {
  const author = viewerOf(call);
  if (!call.project.issuesEnabled) throw forbidden();
  const { title, description = null, confidential = false, ...metadata } = inputOf(call, creation);
  const thread = openThread(call.state, call.project, {
    author,
    title,
    description,
    confidential,
    merge: null,
  });
  if (call.level >= accessLevels.guest) {
    editThread(call.state, thread, { ...readMetadata(call.state, call.project, metadata), by: author });
  }
  return created(showIssue(call, thread));
}

function updateIssue(call: ThreadCall): Answer {
  const { title, confidential, ...input } = inputOf(call, change);
  const edit = readEdit(call, input);
  requireSomeField(call, Object.keys(change.shape));
  editThread(call.state, call.thread, { ...edit, title, confidential });
  return ok(showIssue(call, call.thread));
}
