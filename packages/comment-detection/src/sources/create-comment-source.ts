import type { CommentSource } from '../comment.ts';
import { createGitbeakerSource, type GitbeakerLike, type GitLabThread } from './gitbeaker-source.ts';
import { createOctokitSource, type GitHubThread, type OctokitLike } from './octokit-source.ts';
import type { SourceOptions } from './source-refusal.ts';

/**
 * Creates the source of one thread over a client that is there already: any Octokit, or Gitbeaker's `Gitlab`. It brings no client, and
 * none of the shared polls, budgets and webhooks of `@agent/platforms`.
 *
 * @example
 * const source = createCommentSource(new Octokit({ auth }), { owner: 'octo', repo: 'hello', number: 7 });
 * const manager = new CommentDetectionManager(source, { botUsername: 'my-agent', authorityOf, cleanText });
 * const agent = withComments(new ToolLoopAgent({ model, tools }), manager);
 *
 * @throws TypeError for something else than these clients, or a thread of the other one
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
  { now, ...thread }: (GitHubThread | GitLabThread) & SourceOptions,
): CommentSource {
  if (client && 'request' in client && typeof client.request === 'function' && 'owner' in thread)
    return createOctokitSource(client, { thread, now });
  if (client && 'IssueNotes' in client && 'projectId' in thread)
    return createGitbeakerSource(client, { thread, now });
  throw new TypeError(
    'createCommentSource takes an Octokit with { owner, repo, number }, or a Gitlab of Gitbeaker with { projectId, issueIid } or { projectId, mergeRequestIid }.',
  );
}
