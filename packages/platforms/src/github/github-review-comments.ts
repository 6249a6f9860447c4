import * as z from 'zod';
import type { Comment } from '../model.ts';
import { isNotFound } from '../platform-error.ts';
import type { CallOptions } from '../ports.ts';
import type { ProvenSource } from '../review-ports.ts';
import { pullSchema } from './github-answers.ts';
import type { GitHubCall } from './github-client.ts';
import { type CommentList, createPolledSource } from './github-comment-source.ts';
import type { GitHubThreadContext } from './github-context.ts';
import { lineCommentSchema, reviewSchema, toLineComment, toReviewComment } from './github-review-answers.ts';

const permission = 'pull_requests: read';

/** The comments on lines of one pull request. */
export function toLinesList({ client, repository, place, key, name }: GitHubThreadContext): CommentList {
  return {
    client,
    repository,
    hasSince: true,
    doing: `list the comments on lines of ${name}`,
    permission,
    route: 'GET /repos/{owner}/{repo}/pulls/{pull_number}/comments',
    parameters: { ...place, pull_number: key.number },
    page: z.array(lineCommentSchema.transform(toLineComment)),
  };
}

/**
 * Polls the comments on lines.
 *
 * @see https://docs.github.com/en/rest/pulls/comments#list-review-comments-on-a-pull-request
 */
export function createGitHubLines(context: GitHubThreadContext): ProvenSource {
  const route = 'GET /repos/{owner}/{repo}/pulls/comments/{comment_id}';
  return {
    ...createPolledSource(toLinesList(context)),
    getComment: (id, { signal } = {}) =>
      readOne(context, {
        ...{ route, parameters: { comment_id: id.replace(/^line-/u, '') }, signal },
        schema: lineCommentSchema.transform(toLineComment),
      }),
  };
}

/**
 * Polls the reviews, whose list knows no time of change: it is short, and free where nothing changed.
 *
 * @see https://docs.github.com/en/rest/pulls/reviews#list-reviews-for-a-pull-request
 */
export function createGitHubReviews(context: GitHubThreadContext): ProvenSource {
  const { client, repository, place, key, name } = context;
  const route = 'GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews';
  const source = createPolledSource({
    client,
    repository,
    hasSince: false,
    doing: `list the reviews of ${name}`,
    permission,
    route,
    parameters: { ...place, pull_number: key.number },
    page: z.array(reviewSchema.transform(toReviewComment)),
  });
  return {
    ...source,
    getComment: (id, { signal } = {}) =>
      readOne(context, {
        ...{ route: `${route}/{review_id}`, parameters: { review_id: id.replace(/^review-/u, '') }, signal },
        schema: reviewSchema.transform(toReviewComment),
      }),
  };
}

/** Null only where it is gone: GitHub hides a repository behind the same answer, so that the pull request has to be there. */
async function readOne(
  { client, place, key, repository, name }: GitHubThreadContext,
  asked: Pick<GitHubCall, 'route' | 'parameters'> & {
    readonly schema: z.ZodType<Comment | null>;
  } & CallOptions,
): Promise<Comment | null> {
  const { schema, route, parameters, signal } = asked;
  const at = { ...place, pull_number: key.number };
  const common = { doing: `read what was said in a review of ${name}`, repository, permission, signal };
  try {
    return (await client.ask({ ...common, route, parameters: { ...at, ...parameters } }, schema)).data;
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const pull = 'GET /repos/{owner}/{repo}/pulls/{pull_number}';
    await client.ask({ ...common, route: pull, parameters: at }, pullSchema);
    return null;
  }
}
