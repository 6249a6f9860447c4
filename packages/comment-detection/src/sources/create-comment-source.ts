import type { CommentSource } from '../comment.ts';
import type { GitbeakerLike } from './gitbeaker-lists.ts';
import { createGitbeakerSource, type GitLabThread } from './gitbeaker-source.ts';
import type { OctokitLike } from './octokit-requests.ts';
import { createOctokitSource, type GitHubThread } from './octokit-source.ts';
import { readSourceOptions, type SourceOptions } from './source-options.ts';

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
 * @throws TypeError for another client, a thread of the other platform, or an unknown part in `include`
 */
export function createCommentSource(
  octokit: OctokitLike,
  thread: GitHubThread & SourceOptions,
): CommentSource;
export function createCommentSource(
  gitlab: GitbeakerLike,
  thread: GitLabThread & SourceOptions,
): CommentSource;
export function createCommentSource(
  client: OctokitLike | GitbeakerLike,
  { now, include, ...thread }: (GitHubThread | GitLabThread) & SourceOptions,
): CommentSource {
  const settings = readSourceOptions({ now, include });
  if (client && 'request' in client && typeof client.request === 'function' && 'owner' in thread)
    return createOctokitSource(client, { thread, settings });
  if (client && 'IssueNotes' in client && 'projectId' in thread)
    return createGitbeakerSource(client, { thread, settings });
  throw new TypeError(
    'createCommentSource takes an Octokit with { owner, repo, number }, or a Gitlab of Gitbeaker with { projectId, issueIid } or { projectId, mergeRequestIid }.',
  );
}
