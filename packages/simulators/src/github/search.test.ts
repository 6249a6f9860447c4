import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { repositoryName, startTrial, type Trial } from './trial.ts';

let trial: Trial;

beforeEach(async () => {
  trial = await startTrial();
  const { simulator } = trial;
  simulator.openIssue({
    repo: repositoryName,
    author: 'alice',
    title: 'The door sticks',
    body: 'It is wooden',
    labels: ['bug', 'good first issue'],
  });
  simulator.openIssue({
    repo: repositoryName,
    author: 'stranger',
    title: 'A window',
    body: 'next to the door',
  });
  simulator.comment({ repo: repositoryName, number: 2, author: 'alice', body: 'Glass, not wooden' });
  await simulator.openPullRequest({
    repo: repositoryName,
    author: 'agent',
    title: 'Plane the door',
    headBranch: 'x',
    files: { x: 'x' },
  });
  simulator.closeThread(repositoryName, 2);
});

afterEach(() => trial.close());

const numbers = async (q: string, token = 'agent-token') => {
  const { data } = await trial.octokit(token).rest.search.issuesAndPullRequests({ q });
  return data.items.map(({ number }) => number);
};

describe("the simulated GitHub's search for issues", () => {
  it('finds all words in title, body or comments; those in a title come first', async () => {
    expect(await numbers('DOOR repo:owner/demo is:issue')).toEqual([1, 2]);
    expect(await numbers('door wooden repo:owner/demo is:issue')).toEqual([1, 2]);
    expect(await numbers('"next to the door" is:issue')).toEqual([2]);
    expect(await numbers('wooden in:body is:issue')).toEqual([1]);
    expect(await numbers('nothing-like-it is:issue')).toEqual([]);
  });

  it('narrows by kind, state, label, author and time, and turns a qualifier round with a minus', async () => {
    expect(await numbers('door is:pr')).toEqual([3]);
    expect(await numbers('door is:pull-request state:open')).toEqual([3]);
    expect(await numbers('is:issue state:closed')).toEqual([2]);
    expect(await numbers('is:issue label:"good first issue"')).toEqual([1]);
    expect(await numbers('is:issue -label:bug')).toEqual([2]);
    expect(await numbers('is:issue author:alice')).toEqual([1]);
    expect(await numbers('is:issue created:>=2024-05-01')).toEqual([2, 1]);
    expect(await numbers('is:issue updated:<2024-05-01')).toEqual([]);
    expect(await numbers('is:issue no:label')).toEqual([2]);
  });

  it('refuses a fine-grained token that does not say whether it looks for issues or pull requests', async () => {
    await expect(numbers('door repo:owner/demo')).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining("Query must include 'is:issue' or 'is:pull-request'"),
    });
  });

  it('refuses an empty query and repositories that cannot be seen', async () => {
    await trial.simulator.addRepository({ owner: 'owner', name: 'secret', private: true });
    trial.simulator.openIssue({ repo: 'owner/secret', author: 'owner', title: 'A secret door' });
    await expect(numbers('')).rejects.toMatchObject({
      status: 422,
      response: { data: { errors: [{ resource: 'Search', field: 'q', code: 'missing' }] } },
    });
    const refusal = { status: 422, message: expect.stringContaining('cannot be searched') };
    await expect(numbers('door is:issue repo:no/where')).rejects.toMatchObject(refusal);
    await expect(numbers('door is:issue repo:owner/secret')).rejects.toMatchObject(refusal);
    expect(await numbers('secret door is:issue')).toEqual([]);
    expect(await numbers('secret door is:issue', 'owner-token')).toEqual([1]);
  });
});

describe("the simulated GitHub's search for code", () => {
  it('finds files of the default branch with all the words', async () => {
    const { search } = trial.octokit('agent-token').rest;
    const paths = async (q: string) => (await search.code({ q })).data.items.map(({ path }) => path);
    expect(await paths('CONST sum repo:owner/demo')).toEqual(['src/sum.js']);
    expect(await paths('demo repo:owner/demo extension:md')).toEqual(['README.md']);
    expect(await paths('const sum repo:owner/demo path:docs')).toEqual([]);
    expect(await paths('const nothing-like-it repo:owner/demo')).toEqual([]);
  });

  it('needs a token and a word', async () => {
    await expect(trial.octokit().rest.search.code({ q: 'sum' })).rejects.toMatchObject({
      status: expect.any(Number),
    });
    await expect(
      trial.octokit('agent-token').rest.search.code({ q: 'repo:owner/demo' }),
    ).rejects.toMatchObject({ status: 422 });
  });
});
