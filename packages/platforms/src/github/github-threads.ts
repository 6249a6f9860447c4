import { createTaskFinder, type Places, readingPlaces } from '../listings/task-finder.ts';
import { isNotFound, PlatformError } from '../platform-error.ts';
import type { CallOptions, TaskFinder, TaskQuery, ThreadReader } from '../ports.ts';
import { formatTaskKey } from '../task-key.ts';
import type { ThreadFinder } from '../thread-finder.ts';
import { type RememberingClient, withAnswerMemory } from './github-answer-memory.ts';
import {
  commentSchema,
  type GitHubIssue,
  type GitHubPull,
  isHidden,
  issueSchema,
  pullSchema,
  toComment,
  toTaskSummary,
  toThread,
} from './github-answers.ts';
import type { GitHubClient } from './github-client.ts';
import type { GitHubThreadContext } from './github-context.ts';

/** Listings are remembered, so that what nobody reads of them is left out. */
const listedSchema = issueSchema.omit({ body: true });

/**
 * Lists issues and pull requests, which GitHub answers together. What did not change since the last listing is free.
 *
 * @see https://docs.github.com/en/rest/issues/issues#list-repository-issues
 */
export function createGitHubTasks(client: RememberingClient, repositories: Places): TaskFinder {
  return createTaskFinder(repositories, async (repository, query) => {
    const issues = await listIssues(client, { repository, query });
    return issues.map((issue) => ({
      createdAt: issue.created_at,
      summary: toTaskSummary(issue, repository),
    }));
  });
}

function listIssues(
  client: RememberingClient,
  { repository, query }: { readonly repository: string; readonly query: TaskQuery },
): Promise<GitHubIssue[]> {
  const [owner, repo] = repository.split('/');
  const { label, assignee, state, changedSince, signal } = query;
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
        ...(changedSince == null ? {} : { since: changedSince }),
        sort: 'created',
        direction: 'asc',
        per_page: 100,
      },
      signal,
    },
    listedSchema,
  );
}

/**
 * Finds an issue or a pull request, which share their numbers: the answer says which of them it is, whatever the name says.
 *
 * @see https://docs.github.com/en/rest/issues/issues#get-an-issue
 */
export function createGitHubThreadFinder(
  client: Pick<GitHubClient, 'ask'>,
  repositories: Places,
): ThreadFinder {
  const places = readingPlaces(repositories);
  return {
    findThread: async ({ path, number }, { signal } = {}) => {
      const repository = places().find((place) => place.toLowerCase() === path.toLowerCase()) ?? path;
      const [owner = '', repo = '', ...more] = repository.split('/');
      const name = `${repository}#${number}`;
      if (repo === '' || more.length > 0)
        throw new PlatformError(`GitHub: ${name} is not a thread. Write owner/repo#42.`, { code: 'invalid' });
      const issue = await readIssue(
        { key: { number }, place: { owner, repo }, repository, name },
        { client, signal },
      );
      const type = issue.pull_request == null ? 'github_issue' : 'github_pull_request';
      return { type, owner, repo, number };
    },
  };
}

/**
 * Reads the thread. A second read of one that did not change is free.
 *
 * @see https://docs.github.com/en/rest/issues/issues#get-an-issue
 */
export function createGitHubThreadReader(context: GitHubThreadContext): ThreadReader {
  const { key, place, repository, name } = context;
  const client = withAnswerMemory(context.client, { memory: new Map() });
  return {
    readThread: async ({ signal }: CallOptions = {}) => {
      const issue = await readIssue(context, { client, signal });
      const type = issue.pull_request == null ? 'github_issue' : 'github_pull_request';
      if (type !== key.type) throw wrongType(context, type);
      const pull = type === 'github_issue' ? null : await readPull(context, { client, signal });
      return toThread(issue, { key, pull });
    },
    readParent: async ({ signal } = {}) => {
      const { parent_issue_url: address, repository_url: home } = await readIssue(context, {
        client,
        signal,
      });
      const [, place = '', number] = /^(.*)\/issues\/(\d+)$/u.exec(address ?? '') ?? [];
      // Readers of this thread can read its repository. Of another one nobody knows that.
      if (number === undefined || place.toLowerCase() !== home?.toLowerCase()) return null;
      try {
        const parent = {
          ...context,
          key: { ...key, number: Number(number) },
          name: `${repository}#${number}`,
        };
        return toThread(await readIssue(parent, { client, signal }), { key: parent.key, pull: null });
      } catch (error) {
        if (isNotFound(error)) return null;
        throw error;
      }
    },
    getComment: async (id, { signal }: CallOptions = {}) => {
      const call = {
        doing: `read a comment of ${name}`,
        repository,
        permission: 'issues: read',
        route: 'GET /repos/{owner}/{repo}/issues/comments/{comment_id}',
        parameters: { ...place, comment_id: id },
        signal,
      };
      try {
        const { data } = await context.client.ask(call, commentSchema);
        return isHidden(data) ? null : toComment(data);
      } catch (error) {
        if (!isNotFound(error)) throw error;
        // GitHub hides a repository behind the same answer: the thread has to be there.
        await readIssue(context, { client: context.client, signal });
        return null;
      }
    },
  };
}

async function readIssue(
  {
    key,
    place,
    repository,
    name,
  }: Pick<GitHubThreadContext, 'place' | 'repository' | 'name'> & {
    readonly key: { readonly number: number };
  },
  { client, signal }: { readonly client: Pick<GitHubThreadContext['client'], 'ask'> } & CallOptions,
) {
  const call = {
    doing: `read ${name}`,
    repository,
    permission: 'issues: read',
    route: 'GET /repos/{owner}/{repo}/issues/{issue_number}',
    parameters: { ...place, issue_number: key.number },
    signal,
  };
  const issue = (await client.ask(call, issueSchema)).data;
  if (issue.number === key.number) return issue;
  throw new PlatformError(`Could not read ${name}: GitHub answers with #${issue.number}.`, {
    code: 'not-found',
  });
}

/** @see https://docs.github.com/en/rest/pulls/pulls#get-a-pull-request */
async function readPull(
  { key, place, repository, name }: GitHubThreadContext,
  { client, signal }: { readonly client: RememberingClient } & CallOptions,
): Promise<GitHubPull> {
  const answer = await client.ask(
    {
      doing: `read the pull request ${name}`,
      repository,
      permission: 'pull_requests: read',
      route: 'GET /repos/{owner}/{repo}/pulls/{pull_number}',
      parameters: { ...place, pull_number: key.number },
      signal,
    },
    pullSchema,
  );
  return answer.data;
}

/** History is filed under the key, so a thread has one key and no other. */
function wrongType({ key, name }: GitHubThreadContext, type: 'github_issue' | 'github_pull_request') {
  const right = formatTaskKey({ ...key, type });
  return new PlatformError(`${name} is not a ${key.type}: its key is ${right}.`, { code: 'invalid' });
}
