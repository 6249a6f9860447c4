import * as z from 'zod';
import type { Comment } from '../model.ts';
import { createOwnCommentWriter } from '../own-comment-writer.ts';
import type { CallOptions, CommentWriter, ReactionMeaning, ReactionWriter } from '../ports.ts';
import { commentSchema, toComment } from './github-answers.ts';
import type { GitHubCall } from './github-client.ts';
import type { GitHubThreadContext } from './github-context.ts';

/** GitHub refuses a longer body. */
const maxCommentChars = 65_536;

/**
 * Keeps one comment of ours per topic.
 *
 * @see https://docs.github.com/en/rest/issues/comments
 */
export function createGitHubCommentWriter(context: GitHubThreadContext): CommentWriter {
  const { key, place, settings, identity } = context;
  const issue = 'POST /repos/{owner}/{repo}/issues/{issue_number}/comments';
  const comment = 'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}';
  return createOwnCommentWriter({
    whoAmI: identity.whoAmI,
    maxChars: maxCommentChars,
    locale: settings.locale,
    listComments: (options) => listComments(context, options),
    create: (body, { signal }) =>
      send(context, { route: issue, parameters: { ...place, issue_number: key.number, body }, signal }),
    update: ({ id, text: body, signal }) =>
      send(context, { route: comment, parameters: { ...place, comment_id: Number(id), body }, signal }),
    pause: ({ signal }) => settings.sleep(settings.recheckDelayMs, signal),
  });
}

async function send(
  context: GitHubThreadContext,
  call: Pick<GitHubCall, 'route' | 'parameters' | 'signal'>,
): Promise<Comment> {
  const doing = `write our comment on ${context.name}`;
  const answer = await context.client.ask(
    { ...call, doing, ...permissionFor(context, 'write') },
    commentSchema,
  );
  return toComment(answer.data);
}

async function listComments(context: GitHubThreadContext, { signal }: CallOptions): Promise<Comment[]> {
  const { client, key, place, name } = context;
  const comments = await client.askAll(
    {
      doing: `look for our comment on ${name}`,
      ...permissionFor(context, 'read'),
      route: 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments',
      parameters: { ...place, issue_number: key.number, per_page: 100 },
      signal,
    },
    commentSchema,
  );
  return comments.map(toComment);
}

function permissionFor({ repository, key }: GitHubThreadContext, access: 'read' | 'write') {
  const area = key.type === 'github_issue' ? 'issues' : 'pull_requests';
  return { repository, permission: `${area}: ${access}` };
}

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
