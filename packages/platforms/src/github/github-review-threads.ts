import * as z from 'zod';
import { createOwnComments } from '../comments/own-comment-writer.ts';
import type { Comment } from '../model.ts';
import { PlatformError } from '../platform-error.ts';
import type { CallOptions } from '../ports.ts';
import type { ReviewThread, ReviewThreads } from '../review-ports.ts';
import type { GitHubCall } from './github-client.ts';
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
  const answers = new Map<string, AnswersOf>();
  return {
    list: async ({ signal } = {}) => {
      const [threads, states] = await Promise.all([
        listThreads(context, { signal }),
        listStates(context, { signal }),
      ]);
      return [...threads].map(([id, comments]) => toReviewThread(id, { comments, state: states.get(id) }));
    },
    answer: ({ reviewThread, ...answer }) => {
      const own = answers.get(reviewThread) ?? createAnswers(context, reviewThread);
      answers.set(reviewThread, own);
      return own.writer.ensureComment(answer);
    },
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

type AnswersOf = ReturnType<typeof createOwnComments>;

/** Our answers in one thread, found by their markers as our comments of the conversation are. */
function createAnswers(context: GitHubThreadContext, reviewThread: string): AnswersOf {
  const { place, key, repository, name, settings, identity, client } = context;
  const comment = '/repos/{owner}/{repo}/pulls/comments/{comment_id}';
  const asked = {
    doing: `answer in a review thread of ${name}`,
    repository,
    permission: 'pull_requests: write',
  };
  const parametersOf = (id: string) => ({ ...place, comment_id: Number(id.replace('line-', '')) });
  const send = async (call: Pick<GitHubCall, 'route' | 'parameters' | 'signal'>): Promise<Comment> =>
    toLineComment((await client.ask({ ...asked, ...call }, lineCommentSchema)).data);
  return createOwnComments({
    whoAmI: identity.whoAmI,
    maxChars: maxCommentChars,
    locale: settings.locale,
    listComments: async ({ signal }) => {
      const comments = (await listThreads(context, { signal })).get(reviewThread);
      if (comments === undefined) throw noSuchThread(context, reviewThread);
      return comments;
    },
    create: (body, { signal }) => {
      const parameters = { ...parametersOf(reviewThread), pull_number: key.number, body };
      return send({
        route: 'POST /repos/{owner}/{repo}/pulls/{pull_number}/comments/{comment_id}/replies',
        parameters,
        signal,
      });
    },
    update: ({ id, text: body, signal }) =>
      send({ route: `PATCH ${comment}`, parameters: { ...parametersOf(id), body }, signal }),
    remove: async (id, { signal }) => {
      const call = { route: `DELETE ${comment}`, parameters: parametersOf(id), signal };
      await client.ask({ ...asked, ...call }, z.unknown());
    },
    pause: ({ times = 1, signal }) => settings.sleep(times * settings.recheckDelayMs, signal),
  });
}

function noSuchThread({ name }: GitHubThreadContext, id: string): PlatformError {
  return new PlatformError(`${name} has no review thread ${id.slice(0, 40)}.`, { code: 'not-found' });
}
