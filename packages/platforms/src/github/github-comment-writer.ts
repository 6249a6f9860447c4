import * as z from 'zod';
import { createOwnComments } from '../comments/own-comment-writer.ts';
import type { Comment, ReactionMeaning } from '../model.ts';
import type { ReactionWriter } from '../ports.ts';
import { commentSchema, toAccount, toComment, userSchema } from './github-answers.ts';
import type { GitHubCall } from './github-client.ts';
import { listAllComments, toConversation } from './github-comment-source.ts';
import type { GitHubThreadContext } from './github-context.ts';

/** GitHub refuses a longer body. */
const maxCommentChars = 65_536;

/**
 * Keeps one comment of ours per topic.
 *
 * @see https://docs.github.com/en/rest/issues/comments
 */
export function createGitHubOwnComments(context: GitHubThreadContext): ReturnType<typeof createOwnComments> {
  const { key, place, settings, identity, name } = context;
  const issue = 'POST /repos/{owner}/{repo}/issues/{issue_number}/comments';
  const comment = '/repos/{owner}/{repo}/issues/comments/{comment_id}';
  const parametersOf = (id: string) => ({ ...place, comment_id: Number(id) });
  return createOwnComments({
    whoAmI: identity.whoAmI,
    maxChars: maxCommentChars,
    locale: settings.locale,
    listComments: async ({ since, signal }) => {
      const asked = { doing: `look for our comment on ${name}`, ...permissionFor(context, 'read') };
      return listAllComments(toConversation(context), { ...asked, since, signal });
    },
    create: (body, { signal }) =>
      send(context, { route: issue, parameters: { ...place, issue_number: key.number, body }, signal }),
    update: ({ id, text: body, signal }) =>
      send(context, { route: `PATCH ${comment}`, parameters: { ...parametersOf(id), body }, signal }),
    remove: async (id, { signal }) => {
      const call = { route: `DELETE ${comment}`, parameters: parametersOf(id), signal };
      const doing = `remove our comment on ${name}`;
      await context.client.ask({ ...call, doing, ...permissionFor(context, 'write') }, z.unknown());
    },
    pause: ({ times = 1, signal }) => settings.sleep(times * settings.recheckDelayMs, signal),
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
      const [, kind, number = commentId] = /^(line|review|check)-(.*)$/u.exec(commentId) ?? [];
      // GitHub's REST API has no reactions for reviews, and a check has nobody to see one.
      if (kind === 'review' || kind === 'check') return;
      const list = kind === 'line' ? 'pulls' : 'issues';
      const content = contents[meaning];
      const call = {
        doing: `react with ${content} to a comment of ${name}`,
        repository,
        permission: `${area}: write`,
        route: `POST /repos/{owner}/{repo}/${list}/comments/{comment_id}/reactions`,
        parameters: { ...place, comment_id: number, content },
        impatient: true,
        signal,
      };
      await client.ask(call, z.unknown());
    },
    listReactions: async ({ commentId, meaning, signal }) => {
      const given = await client.askAll(
        {
          doing: `list reactions to a comment of ${name}`,
          repository,
          permission: `${area}: read`,
          route: 'GET /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions',
          parameters: { ...place, comment_id: commentId, content: contents[meaning], per_page: 100 },
          signal,
        },
        reactionSchema,
      );
      return given.map(({ user, created_at: at }) => ({ by: toAccount(user), at }));
    },
  };
}

const reactionSchema = z.object({ user: userSchema.nullish(), created_at: z.string() });
