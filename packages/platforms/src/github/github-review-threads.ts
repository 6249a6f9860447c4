import * as z from 'zod';
import type { Comment } from '../model.ts';
import { composeOwnComment, findOwnComment, isSameBody } from '../own-comment.ts';
import { PlatformError } from '../platform-error.ts';
import type { CallOptions } from '../ports.ts';
import type { ReviewAnswer, ReviewThread, ReviewThreads } from '../review-ports.ts';
import { writeOnce } from '../write-once.ts';
import { listAllComments } from './github-comment-source.ts';
import type { GitHubThreadContext } from './github-context.ts';
import { askGraph } from './github-graph.ts';
import { lineCommentSchema, toLineComment } from './github-review-answers.ts';
import { toLinesList } from './github-review-comments.ts';

const maxCommentChars = 65_536;

/** State of the threads; REST has their comments, and does not know what is resolved. */
const query = `query ($owner: String!, $repo: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $repo) { pullRequest(number: $number) {
    reviewThreads(first: 100, after: $after) {
      pageInfo { hasNextPage endCursor }
      nodes { id isResolved isOutdated comments(first: 1) { nodes { databaseId replyTo { databaseId } } } }
    }
  } }
}`;

const mutation = `mutation ($id: ID!) {
  resolveReviewThread(input: { threadId: $id }) { thread { isResolved } }
}`;

const commentId = z.object({ databaseId: z.number() });
const pageSchema = z.object({
  repository: z.object({
    pullRequest: z.object({
      reviewThreads: z.object({
        pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() }),
        nodes: z.array(
          z.object({
            id: z.string(),
            isResolved: z.boolean(),
            isOutdated: z.boolean(),
            comments: z.object({ nodes: z.array(commentId.extend({ replyTo: commentId.nullish() })) }),
          }),
        ),
      }),
    }),
  }),
});

/** A thread's state; `id` is that of GraphQL. */
interface ThreadState {
  readonly id: string;
  readonly isResolved: boolean;
  readonly isOutdated: boolean;
}

/**
 * Review threads of a pull request. They are named by their first comment, which REST and GraphQL both know.
 *
 * @see https://docs.github.com/en/graphql/reference/objects#pullrequestreviewthread
 * @see https://docs.github.com/en/rest/pulls/comments#create-a-reply-for-a-review-comment
 */
export function createGitHubReviewThreads(context: GitHubThreadContext): ReviewThreads {
  return {
    list: async ({ signal } = {}) => {
      const [threads, states] = await Promise.all([
        listThreads(context, { signal }),
        listStates(context, { signal }),
      ]);
      return [...threads].map(([id, comments]) => toReviewThread(id, { comments, state: states.get(id) }));
    },
    answer: (answer) => writeAnswer(context, answer),
    resolve: async (reviewThread, { signal } = {}) => {
      const state = (await listStates(context, { signal })).get(reviewThread);
      if (state === undefined) throw noSuchThread(context, reviewThread);
      if (!state.isResolved) await askGraph(context, { ...resolving(context, state), signal });
    },
  };
}

function resolving({ name }: GitHubThreadContext, { id }: ThreadState) {
  return {
    doing: `resolve a review thread of ${name}`,
    permission: 'pull_requests: write and contents: write',
    query: mutation,
    variables: { id },
    data: z.object({ resolveReviewThread: z.object({}) }),
  };
}

/** Comments by the thread that they are part of, by the time of its first. */
async function listThreads(
  context: GitHubThreadContext,
  { signal }: CallOptions,
): Promise<ReadonlyMap<string, readonly Comment[]>> {
  const asked = { doing: `list the review threads of ${context.name}`, permission: 'pull_requests: read' };
  const comments = await listAllComments(toLinesList(context), { ...asked, signal });
  return Map.groupBy(comments, ({ subject }) => (subject?.kind === 'line' ? subject.reviewThread : ''));
}

async function listStates(
  context: GitHubThreadContext,
  { signal }: CallOptions,
): Promise<ReadonlyMap<string, ThreadState>> {
  const states = new Map<string, ThreadState>();
  for (let after: string | null = null, isEnd = false; !isEnd; ) {
    const answer: z.output<typeof pageSchema> = await askGraph(context, {
      doing: `list the review threads of ${context.name}`,
      permission: 'pull_requests: read',
      query,
      variables: { ...context.place, number: context.key.number, after },
      data: pageSchema,
      signal,
    });
    const { nodes, pageInfo } = answer.repository.pullRequest.reviewThreads;
    for (const { comments, ...state } of nodes) {
      const [first] = comments.nodes;
      if (first !== undefined) states.set(String(first.replyTo?.databaseId ?? first.databaseId), state);
    }
    after = pageInfo.endCursor ?? null;
    isEnd = !pageInfo.hasNextPage || after === null;
  }
  return states;
}

function toReviewThread(
  id: string,
  { comments, state }: { readonly comments: readonly Comment[]; readonly state: ThreadState | undefined },
): ReviewThread {
  const subject = comments[0]?.subject;
  if (subject?.kind !== 'line') throw new TypeError(`the review thread ${id} has no lines`);
  const { path, firstLine, lastLine, side } = subject;
  const outdated = state?.isOutdated ?? subject.outdated;
  return { id, path, firstLine, lastLine, side, outdated, resolved: state?.isResolved ?? false, comments };
}

async function writeAnswer(context: GitHubThreadContext, answer: ReviewAnswer) {
  const { settings, identity } = context;
  const { reviewThread, topic, signal } = answer;
  const text = composeOwnComment(answer, { maxChars: maxCommentChars, locale: settings.locale });
  const account = await identity.whoAmI({ signal });
  const look = async () => {
    const comments = (await listThreads(context, { signal })).get(reviewThread);
    if (comments === undefined) throw noSuchThread(context, reviewThread);
    return findOwnComment(comments, { topic, account }) ?? null;
  };
  const reply = 'POST /repos/{owner}/{repo}/pulls/{pull_number}/comments/{comment_id}/replies';
  const write = () => send(context, { route: reply, id: reviewThread, body: text, signal });
  const pause = () => settings.sleep(settings.recheckDelayMs, signal);
  const { result, written } = await writeOnce({ look, write }, { pause });
  const { id, url, body } = result;
  if (written || isSameBody(body, text))
    return { id, url, change: written ? ('created' as const) : ('unchanged' as const) };
  const edit = 'PATCH /repos/{owner}/{repo}/pulls/comments/{comment_id}';
  await send(context, { route: edit, id: id.replace('line-', ''), body: text, signal });
  return { id, url, change: 'updated' as const };
}

async function send(
  { client, place, key, repository, name }: GitHubThreadContext,
  call: { readonly route: string; readonly id: string; readonly body: string } & CallOptions,
): Promise<Comment> {
  const { route, id, body, signal } = call;
  const parameters = { ...place, pull_number: key.number, comment_id: Number(id), body };
  const doing = `answer in a review thread of ${name}`;
  const asked = { doing, repository, permission: 'pull_requests: write', route, parameters, signal };
  return toLineComment((await client.ask(asked, lineCommentSchema)).data);
}

function noSuchThread({ name }: GitHubThreadContext, id: string): PlatformError {
  return new PlatformError(`${name} has no review thread ${id.slice(0, 40)}.`, { code: 'not-found' });
}
