import { Issues, MergeRequests } from '@gitbeaker/rest';
import { createPlaceLister } from '../list-places.ts';
import { isNotFound } from '../platform-error.ts';
import type { TaskFinder, TaskQuery, TaskSummary } from '../ports.ts';
import { type ThreadKind, toTaskSummary } from './convert.ts';
import type { BoundConnection, GitLabClient } from './gitlab-client.ts';
import type { GitLabProjects } from './gitlab-projects.ts';
import { type GitLabIssue, issueSchema } from './gitlab-schemas.ts';
import type { PageQuery } from './next-query.ts';

/**
 * Lists issues and merge requests, which GitLab answers apart.
 *
 * @see https://docs.gitlab.com/api/issues/#list-project-issues
 * @see https://docs.gitlab.com/api/merge_requests/#list-project-merge-requests
 */
export function createGitLabTasks(
  client: GitLabClient,
  { projects, paths }: { readonly projects: GitLabProjects; readonly paths: readonly string[] },
): TaskFinder {
  const listPlaces = createPlaceLister(paths, (path, query: TaskQuery) =>
    listProject(client, { projects, path, query }),
  );
  return {
    listTasks: async (query) => {
      const { found, failures } = await listPlaces(query);
      const tasks = found
        .toSorted((one, other) => Date.parse(one.createdAt) - Date.parse(other.createdAt))
        .map(({ summary }) => summary);
      return { tasks, failures };
    },
  };
}

interface FoundTask {
  readonly createdAt: string;
  readonly summary: TaskSummary;
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
      permission: 'scope api',
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
  const { label, assignee } = query;
  const filters = {
    ...(label === null ? {} : { labels: label }),
    ...(assignee === null ? {} : { assigneeUsername: [assignee] }),
    scope: 'all',
    orderBy: 'created_at',
    sort: 'asc',
  } as const;
  if (list.kind === 'issues') {
    const state = list.state === null ? {} : { state: list.state };
    return new Issues(bound).all({ projectId, ...filters, ...state, ...page });
  }
  const state = list.state === null ? {} : { state: list.state };
  return new MergeRequests(bound).all({ projectId, ...filters, ...state, ...page });
}
