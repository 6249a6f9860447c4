import { checkOptions, type Expectation, expected, expectNumber } from '@agent/text/options';
import type { CommentSource } from '../comment.ts';
import type { GitbeakerLike } from './gitbeaker-lists.ts';
import { createGitbeakerSource, type GitLabThread } from './gitbeaker-source.ts';
import type { OctokitLike } from './octokit-requests.ts';
import { createOctokitSource, type GitHubThread } from './octokit-source.ts';
import { readSourceOptions, type SourceOptions, sourceExpectations } from './source-options.ts';

/** Thread of a client: of an Octokit one on GitHub, of Gitbeaker one on GitLab. */
export type ThreadOf<Client> = Client extends OctokitLike ? GitHubThread : GitLabThread;

/**
 * Creates the source of one thread over your client: any Octokit, or Gitbeaker's `Gitlab`. By default it reads the conversation,
 * edits of title and description and, on a pull or merge request, reviews and comments on lines. It also finds the agent's own
 * account and the permissions of authors. It includes no client, shared polls, budgets or webhooks; `@agent/platforms` has these.
 *
 * @example
 * const source = createCommentSource(new Octokit({ auth }), { owner: 'octo', repo: 'hello', number: 7 });
 * const manager = new CommentDetectionManager(source);
 * const agent = withComments(new ToolLoopAgent({ model, tools }), manager);
 *
 * @throws TypeError for another client, and for an option that is unknown or wrong
 */
export function createCommentSource<Client extends OctokitLike | GitbeakerLike>(
  client: Client,
  options: ThreadOf<Client> & SourceOptions,
): CommentSource {
  if (client && 'request' in client && typeof client.request === 'function') {
    checkOptions('GitHubThread', options, gitHubExpectations, Object.keys(gitHubThread));
    const { now, include, ...thread } = options as unknown as GitHubThread & SourceOptions;
    return createOctokitSource(client, { thread, settings: readSourceOptions({ now, include }) });
  }
  if (client && 'IssueNotes' in client) {
    checkOptions('GitLabThread', options, gitLabExpectations, ['projectId']);
    const { now, include, ...thread } = options as unknown as GitLabThread & SourceOptions;
    if ('issueIid' in thread === 'mergeRequestIid' in thread)
      throw new TypeError('GitLabThread must have either issueIid or mergeRequestIid.');
    return createGitbeakerSource(client, { thread, settings: readSourceOptions({ now, include }) });
  }
  throw new TypeError(
    'createCommentSource takes an Octokit with { owner, repo, number }, or a Gitlab of Gitbeaker with { projectId, issueIid } or { projectId, mergeRequestIid }.',
  );
}

const number = expectNumber(1, { isWhole: true });

const gitHubThread = {
  owner: expected.text,
  repo: expected.text,
  number,
} as const satisfies Record<keyof GitHubThread, Expectation>;

const gitHubExpectations = { ...gitHubThread, ...sourceExpectations };

const gitLabExpectations = {
  ...{ projectId: expected.id, issueIid: number, mergeRequestIid: number },
  ...sourceExpectations,
};
