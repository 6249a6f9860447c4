import { createTaskFinder, type FoundTask, type Places } from '../listings/task-finder.ts';
import { isNotFound } from '../platform-error.ts';
import type { CallOptions, TaskFinder, TaskQuery, ThreadReader } from '../ports.ts';
import type { ThreadFinder } from '../thread-finder.ts';
import {
  type GitLabIssue,
  type GitLabMergeRequest,
  issueSchema,
  mergeRequestSchema,
  noteSchema,
  type ThreadKind,
  toChangeRequest,
  toComment,
  toTaskSummary,
  toThread,
} from './gitlab-answers.ts';
import type { BoundConnection, GitLabClient, PageQuery } from './gitlab-client.ts';
import { type GitLabThreadContext, notesOf, toNoteCall } from './gitlab-context.ts';
import type { GitLabProjects } from './gitlab-projects.ts';

/**
 * Lists issues and merge requests, which GitLab answers apart.
 *
 * @see https://docs.gitlab.com/api/issues/#list-project-issues
 * @see https://docs.gitlab.com/api/merge_requests/#list-project-merge-requests
 */
export function createGitLabTasks(
  client: GitLabClient,
  { projects, paths }: { readonly projects: GitLabProjects; readonly paths: Places },
): TaskFinder {
  return createTaskFinder(paths, (path, query) => listProject(client, { projects, path, query }));
}

/**
 * Finds an issue or a merge request. GitLab numbers them apart, so that a name without a kind is that of an issue. `baseUrl` may be below a
 * path, which is no part of a project's.
 */
export function createGitLabThreadFinder(
  projects: GitLabProjects,
  { baseUrl }: { readonly baseUrl: string },
): ThreadFinder {
  const below = new URL(baseUrl).pathname.replace(/^\/|\/$/gu, '');
  return {
    findThread: async ({ path, number, kind }, options = {}) => {
      const project = below !== '' && path.startsWith(`${below}/`) ? path.slice(below.length + 1) : path;
      const projectId = String(await projects.resolve(project, options));
      return kind === 'change-request'
        ? { type: 'gitlab_merge_request', projectId, mrIid: number }
        : { type: 'gitlab_issue', projectId, issueIid: number };
    },
  };
}

async function listProject(
  client: GitLabClient,
  { projects, path, query }: { projects: GitLabProjects; path: string; query: TaskQuery },
): Promise<readonly FoundTask[]> {
  const projectId = await projects.resolve(path, query);
  const found: FoundTask[] = [];
  try {
    for (const list of listsFor(query.state)) {
      const issues = await listThreads(client, { path, projectId, list, query });
      found.push(
        ...issues.map((issue) => ({
          createdAt: issue.created_at,
          summary: toTaskSummary(issue, list.kind),
        })),
      );
    }
  } catch (error) {
    // Another project may be at the path by now.
    if (isNotFound(error)) projects.forget(path);
    throw error;
  }
  return found;
}

interface ThreadList {
  readonly kind: ThreadKind;
  readonly state: 'opened' | 'closed' | 'merged' | null;
}

/** GitLab does not count what is merged among what is closed. */
function listsFor(state: TaskQuery['state']): readonly ThreadList[] {
  const kinds = ['issues', 'merge_requests'] as const;
  if (state === 'all') return kinds.map((kind) => ({ kind, state: null }));
  if (state === 'open') return kinds.map((kind) => ({ kind, state: 'opened' }));
  return [...kinds.map((kind) => ({ kind, state }) as const), { kind: 'merge_requests', state: 'merged' }];
}

interface ThreadQuestion {
  readonly path: string;
  readonly projectId: number;
  readonly list: ThreadList;
  readonly query: TaskQuery;
}

function listThreads(client: GitLabClient, question: ThreadQuestion): Promise<GitLabIssue[]> {
  const { path, list, query } = question;
  return client.askAll(
    {
      doing: `list the tasks of ${path}`,
      repository: path,
      route: `GET /projects/{id}/${list.kind}`,
      send: (bound, page) => sendList(bound, { ...question, page }),
      signal: query.signal,
    },
    issueSchema,
  );
}

function sendList(
  bound: BoundConnection,
  { projectId, list, query, page }: ThreadQuestion & { readonly page: PageQuery },
): Promise<unknown> {
  const { label, assignee, changedSince } = query;
  const filters = {
    ...(label === null ? {} : { labels: label }),
    ...(assignee === null ? {} : { assigneeUsername: [assignee] }),
    ...(changedSince == null ? {} : { updatedAfter: changedSince }),
    scope: 'all',
    orderBy: 'created_at',
    sort: 'asc',
  } as const;
  if (list.kind === 'issues') {
    const state = list.state === null ? {} : { state: list.state };
    return new bound.gitbeaker.Issues(bound).all({ projectId, ...filters, ...state, ...page });
  }
  const state = list.state === null ? {} : { state: list.state };
  return new bound.gitbeaker.MergeRequests(bound).all({ projectId, ...filters, ...state, ...page });
}

/** Reads an issue or a merge request, which GitLab numbers apart. */
export function createGitLabThreadReader(context: GitLabThreadContext): ThreadReader {
  const { key, projectId, iid } = context;
  const readThread = async ({ signal }: CallOptions = {}) => {
    if (key.type === 'gitlab_issue') {
      return toThread(await readIssue(context, { signal }), { key, changeRequest: null });
    }
    const mergeRequest = await readMergeRequest(context, { signal });
    return toThread(mergeRequest, { key, changeRequest: toChangeRequest(mergeRequest) });
  };
  return {
    readThread,
    getComment: async (id, { signal } = {}) => {
      const call = toNoteCall(context, { doing: 'read a comment of', method: 'GET', noteId: id, signal });
      const send = (bound: BoundConnection) => notesOf(context, bound).show(projectId, iid, Number(id));
      try {
        const note = await context.client.ask({ ...call, send }, noteSchema);
        return toComment(note, await context.findUrl({ signal }));
      } catch (error) {
        if (!isNotFound(error)) throw error;
        // GitLab hides a project behind the same answer: the thread has to be there.
        await readThread({ signal });
        return null;
      }
    },
  };
}

/** @see https://docs.gitlab.com/api/issues/#single-project-issue */
function readIssue(
  { client, projectId, project, iid, name }: GitLabThreadContext,
  { signal }: CallOptions,
): Promise<GitLabIssue> {
  const call = {
    doing: `read ${name}`,
    repository: project,
    route: 'GET /projects/{id}/issues/{issue_iid}',
    signal,
  };
  return client.ask(
    { ...call, send: (bound) => new bound.gitbeaker.Issues(bound).show(iid, { projectId }) },
    issueSchema,
  );
}

/** @see https://docs.gitlab.com/api/merge_requests/#get-single-mr */
function readMergeRequest(
  { client, projectId, project, iid, name }: GitLabThreadContext,
  { signal }: CallOptions,
): Promise<GitLabMergeRequest> {
  const call = {
    doing: `read ${name}`,
    repository: project,
    route: 'GET /projects/{id}/merge_requests/{merge_request_iid}',
    signal,
  };
  return client.ask(
    { ...call, send: (bound) => new bound.gitbeaker.MergeRequests(bound).show(projectId, iid) },
    mergeRequestSchema,
  );
}
