import * as z from 'zod';
import type { ReactionMeaning, ReactionWriter } from '../ports.ts';
import type { GitHubThreadContext } from './github-context.ts';

const contents: Readonly<Record<ReactionMeaning, string>> = {
  seen: 'eyes',
  done: '+1',
  refused: 'confused',
};

/**
 * Reacts to comments. GitHub keeps one reaction of each kind per account: a second request changes nothing, and the
 * comment's `updated_at` stays.
 *
 * @see https://docs.github.com/en/rest/reactions/reactions#create-reaction-for-an-issue-comment
 */
export function createGitHubReactions(context: GitHubThreadContext): ReactionWriter {
  const { client, place, repository, name, key } = context;
  const area = key.type === 'github_issue' ? 'issues' : 'pull_requests';
  return {
    ensureReaction: async ({ commentId, meaning, signal }) => {
      const content = contents[meaning];
      const call = {
        doing: `react with ${content} to a comment of ${name}`,
        repository,
        permission: `${area}: write`,
        route: 'POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions',
        parameters: { ...place, comment_id: commentId, content },
        impatient: true,
        signal,
      };
      await client.ask(call, z.unknown());
    },
  };
}
