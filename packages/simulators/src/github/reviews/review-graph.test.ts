import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { repository, repositoryName, startTrial, type Trial } from '../trial.ts';

let trial: Trial;
let commentId: number;
const on = { repo: repositoryName, number: 1 } as const;

beforeEach(async () => {
  trial = await startTrial();
  await trial.simulator.openPullRequest({
    repo: repositoryName,
    author: 'agent',
    title: 'Fix the sum',
    headBranch: 'fix',
    files: { 'src/sum.js': 'export const sum = (a, b) => a + b;\n' },
  });
  commentId = await trial.simulator.reviews.comment({
    ...on,
    author: 'alice',
    path: 'src/sum.js',
    line: 1,
    body: 'Test?',
  });
});
afterEach(() => trial.close());

const threadsQuery = `query ($owner: String!, $repo: String!, $after: String) {
  repository(owner: $owner, name: $repo) {
    pullRequest(number: 1) {
      reviewDecision
      reviewThreads(first: 1, after: $after) {
        totalCount
        pageInfo { hasNextPage endCursor }
        nodes {
          id isResolved isOutdated path line viewerCanResolve
          resolvedBy { login }
          comments(first: 10) { nodes { databaseId body author { login } replyTo { databaseId } } }
        }
      }
    }
  }
}`;
interface Threads {
  readonly repository: {
    readonly pullRequest: {
      readonly reviewDecision: string | null;
      readonly reviewThreads: {
        readonly totalCount: number;
        readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
        readonly nodes: readonly { readonly id: string; readonly [field: string]: unknown }[];
      };
    };
  };
}
const readThreads = async (after: string | null = null) => {
  const found = await trial.octokit('agent-token').graphql<Threads>(threadsQuery, { ...repository, after });
  return found.repository.pullRequest;
};
const mutate = (name: 'resolveReviewThread' | 'unresolveReviewThread', token: string, threadId: string) =>
  trial
    .octokit(token)
    .graphql(`mutation ($id: ID!) { ${name}(input: { threadId: $id }) { thread { id isResolved } } }`, {
      id: threadId,
    });

describe('review threads in GraphQL', () => {
  it('are listed in pages, with their place, whether they are resolved or outdated, and their comments', async () => {
    await trial.simulator.reviews.comment({
      ...on,
      author: 'owner',
      path: 'src/sum.js',
      line: 1,
      body: 'Two',
    });
    await trial.simulator.reviews.submit({ ...on, author: 'owner', event: 'APPROVE' });
    const { reviewThreads: first, reviewDecision } = await readThreads();
    expect(reviewDecision).toBe('APPROVED');
    expect(first).toMatchObject({
      totalCount: 2,
      pageInfo: { hasNextPage: true },
      nodes: [
        {
          isResolved: false,
          isOutdated: false,
          path: 'src/sum.js',
          line: 1,
          viewerCanResolve: true,
          comments: {
            nodes: [{ databaseId: commentId, body: 'Test?', author: { login: 'alice' }, replyTo: null }],
          },
        },
      ],
    });
    const { reviewThreads: second } = await readThreads(first.pageInfo.endCursor);
    expect(second).toMatchObject({
      pageInfo: { hasNextPage: false },
      nodes: [{ comments: { nodes: [{ body: 'Two' }] } }],
    });
    await trial.simulator.push({
      repo: repositoryName,
      branch: 'fix',
      author: 'owner',
      files: { 'src/sum.js': 'export const sum = (...all) => 0;\n' },
    });
    expect((await readThreads()).reviewThreads.nodes).toMatchObject([{ isOutdated: true, line: null }]);
  });

  it('are answered and resolved, by who may', async () => {
    const [thread] = (await readThreads()).reviewThreads.nodes;
    const id = thread?.id ?? '';
    const replied = await trial.octokit('agent-token').graphql(
      `mutation ($id: ID!, $body: String!) {
        addPullRequestReviewThreadReply(input: { pullRequestReviewThreadId: $id, body: $body }) {
          comment { databaseId replyTo { databaseId } }
        }
      }`,
      { id, body: 'Done.' },
    );
    expect(replied).toMatchObject({
      addPullRequestReviewThreadReply: { comment: { replyTo: { databaseId: commentId } } },
    });
    await mutate('resolveReviewThread', 'agent-token', id);
    expect((await readThreads()).reviewThreads.nodes).toMatchObject([
      { isResolved: true, resolvedBy: { login: 'agent' } },
    ]);
    await mutate('unresolveReviewThread', 'owner-token', id);
    expect(trial.simulator.reviews.threads(repositoryName, 1)).toMatchObject([
      { resolvedBy: null, comments: [{ body: 'Test?' }, { body: 'Done.', author: 'agent' }] },
    ]);
  });

  it('are refused in an answer of 200: no such thread, no rights, a token that may not write contents', async () => {
    const [thread] = (await readThreads()).reviewThreads.nodes;
    const id = thread?.id ?? '';
    const forbidden = { errors: [{ type: 'FORBIDDEN', path: ['resolveReviewThread'] }] };
    await expect(mutate('resolveReviewThread', 'stranger-token', id)).rejects.toMatchObject(forbidden);
    trial.simulator.addToken({
      token: 'narrow',
      login: 'agent',
      permissions: { pull_requests: 'write', contents: 'read' },
    });
    await expect(mutate('resolveReviewThread', 'narrow', id)).rejects.toMatchObject({
      errors: [{ type: 'FORBIDDEN', message: 'Resource not accessible by personal access token' }],
    });
    await expect(mutate('resolveReviewThread', 'agent-token', 'PRRT_none')).rejects.toMatchObject({
      errors: [
        { type: 'NOT_FOUND', message: "Could not resolve to a node with the global id of 'PRRT_none'" },
      ],
    });
    const { requests } = trial.simulator;
    expect(requests.filter(({ path }) => path === '/graphql').every(({ status }) => status === 200)).toBe(
      true,
    );
    await expect(
      trial
        .octokit('agent-token')
        .graphql(threadsQuery.replace('first: 1, after: $after', ''), { ...repository, after: null }),
    ).rejects.toThrow('You must provide a `first` or `last` value');
  });
});
