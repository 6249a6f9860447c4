import { createPlaceLister } from '../list-places.ts';
import type { TaskFinder, TaskQuery } from '../ports.ts';
import type { RememberingClient } from './answer-memory.ts';
import { toTaskSummary } from './convert.ts';
import { type GitHubIssue, issueSchema } from './github-schemas.ts';

/** Listings are remembered, so that what nobody reads of them is left out. */
const listedSchema = issueSchema.omit({ body: true });

/**
 * Lists issues and pull requests, which GitHub answers together. What did not change since the last listing is free.
 *
 * @see https://docs.github.com/en/rest/issues/issues#list-repository-issues
 */
export function createGitHubTasks(client: RememberingClient, repositories: readonly string[]): TaskFinder {
  const listPlaces = createPlaceLister(repositories, async (repository, query: TaskQuery) => {
    const issues = await listIssues(client, { repository, query });
    return issues.map((issue) => ({
      createdAt: issue.created_at,
      summary: toTaskSummary(issue, repository),
    }));
  });
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

function listIssues(
  client: RememberingClient,
  { repository, query }: { readonly repository: string; readonly query: TaskQuery },
): Promise<GitHubIssue[]> {
  const [owner, repo] = repository.split('/');
  const { label, assignee, state, signal } = query;
  return client.askAll(
    {
      doing: `list the tasks of ${repository}`,
      repository,
      permission: 'issues: read',
      route: 'GET /repos/{owner}/{repo}/issues',
      parameters: {
        owner,
        repo,
        state,
        ...(label === null ? {} : { labels: label }),
        ...(assignee === null ? {} : { assignee }),
        sort: 'created',
        direction: 'asc',
        per_page: 100,
      },
      signal,
    },
    listedSchema,
  );
}
