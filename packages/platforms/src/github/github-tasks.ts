import type { TaskFinder, TaskQuery, TaskSummary } from '../ports.ts';
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
  return {
    listTasks: async (query) => {
      const found: { readonly issue: GitHubIssue; readonly summary: TaskSummary }[] = [];
      for (const repository of repositories) {
        for (const issue of await listIssues(client, { repository, query })) {
          found.push({ issue, summary: toTaskSummary(issue, repository) });
        }
      }
      return found
        .sort((one, other) => Date.parse(one.issue.created_at) - Date.parse(other.issue.created_at))
        .map(({ summary }) => summary);
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
