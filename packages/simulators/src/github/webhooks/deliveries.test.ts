import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repositoryName, startTrial, type Trial } from '../trial.ts';
import type { SimulatedHappening } from './happening.ts';
import { payloadDifferences, recordedPayload } from './recorded.ts';

let trial: Trial;
let sha: string;
let reviewId: number;
let commentId: number;
let installation: number;
const repo = repositoryName;
const path = 'src/sum.js';

beforeAll(async () => {
  trial = await startTrial();
  const { simulator } = trial;
  await simulator.ci.answer(repo, () => [
    { name: 'test', conclusion: 'failure' },
    { name: 'lint', kind: 'app', conclusion: 'success' },
    { name: 'build', kind: 'status', conclusion: 'success' },
  ]);
  const seed = { repo, author: 'agent', title: 'Fix the sum', body: 'x', headBranch: 'fix' };
  await simulator.openPullRequest({
    ...seed,
    labels: ['bug'],
    assignees: ['alice'],
    files: { [path]: 'export const sum = (a, b) => a + b;\n' },
  });
  const review = { repo, number: 1, author: 'alice', body: 'Not yet' } as const;
  reviewId = await simulator.reviews.submit({ ...review, event: 'REQUEST_CHANGES' });
  commentId = await simulator.reviews.comment({
    repo,
    number: 1,
    author: 'alice',
    path,
    line: 1,
    body: 'Why?',
  });
  sha = (await trial.octokit().rest.pulls.get({ owner: 'owner', repo: 'demo', pull_number: 1 })).data.head
    .sha;
  const permissions = { checks: 'read', contents: 'read', issues: 'write' } as const;
  const { slug } = simulator.apps.register({ owner: 'owner', name: 'Agent', permissions, events: ['push'] });
  installation = simulator.apps.install({ app: slug, account: 'owner', repositories: [repo] });
});
afterAll(() => trial.close());

const compose = (happening: SimulatedHappening) => trial.simulator.composeDelivery(happening, 'secret');
const read = (happening: SimulatedHappening) => JSON.parse(compose(happening).body.toString());

/** What is told, by the names of the vendor's examples. */
const deliveries: readonly (readonly [event: string, action: string | undefined, () => object])[] = [
  ['pull_request', 'opened', () => ({ number: 1 })],
  ['pull_request', 'reopened', () => ({ number: 1 })],
  ['pull_request_review', 'submitted', () => ({ number: 1, reviewId })],
  ['pull_request_review', 'dismissed', () => ({ number: 1, reviewId })],
  ['pull_request_review_comment', 'created', () => ({ commentId })],
  ['pull_request_review_comment', 'deleted', () => ({ commentId })],
  ['pull_request_review_thread', 'resolved', () => ({ commentId })],
  ['check_run', 'completed', () => ({ sha, name: 'lint' })],
  ['check_run', 'created', () => ({ sha, name: 'test' })],
  ['check_suite', 'completed', () => ({ sha })],
  ['status', undefined, () => ({ sha, context: 'build' })],
  ['workflow_run', 'completed', () => ({ sha })],
];

describe('deliveries of the simulated GitHub about reviews and checks', () => {
  it.each(deliveries)('have the shape of the recorded one about %s %s', (event, action, more) => {
    const { body, headers } = compose({ event, action, repo, ...more() } as SimulatedHappening);
    expect(payloadDifferences(recordedPayload(event, action), body)).toEqual([]);
    expect(headers['x-github-event']).toBe(event);
  });

  it.each([
    ['installation', 'created', {}],
    ['installation', 'suspend', {}],
    ['installation_repositories', 'added', { repositories: [repo] }],
  ])('have the shape of the recorded one about %s %s', (event, action, more) => {
    const { apps } = trial.simulator;
    if (action === 'suspend') apps.suspend(installation, 'owner');
    const { body } = compose({ event, action, installation, ...more } as SimulatedHappening);
    apps.unsuspend(installation);
    expect(payloadDifferences(recordedPayload(event, action), body)).toEqual([]);
  });

  it('say what is so now, and to an app where it is told', () => {
    expect(
      read({ repo, event: 'pull_request_review', action: 'submitted', number: 1, reviewId }),
    ).toMatchObject({
      review: { state: 'changes_requested', body: 'Not yet', user: { login: 'alice' } },
      pull_request: { number: 1, head: { sha } },
      sender: { login: 'alice' },
    });
    expect(
      read({ repo, event: 'check_run', action: 'completed', sha, name: 'test', installation }),
    ).toMatchObject({
      check_run: { conclusion: 'failure', pull_requests: [{ number: 1 }] },
      installation: { id: installation },
    });
    trial.simulator.reviews.resolve(repo, commentId, { by: 'owner' });
    expect(read({ repo, event: 'pull_request_review_thread', action: 'resolved', commentId })).toMatchObject({
      thread: { comments: [{ id: commentId }] },
      sender: { login: 'owner' },
    });
    expect(() => compose({ repo, event: 'check_run', action: 'completed', sha, name: 'none' })).toThrow(
      'There is no check run "none"',
    );
  });
});
