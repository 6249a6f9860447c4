import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { repository, repositoryName, startTrial, type Trial } from './trial.ts';

let trial: Trial;
const numbered = (pull_number: number) => ({ ...repository, pull_number });

beforeEach(async () => {
  trial = await startTrial();
});

afterEach(() => trial.close());

const open = (headBranch: string, files: Record<string, string> = { [headBranch]: 'new\n' }) =>
  trial.simulator.openPullRequest({
    repo: repositoryName,
    author: 'agent',
    title: headBranch,
    headBranch,
    files,
  });
const pulls = (token = 'agent-token') => trial.octokit(token).rest.pulls;

describe('pull requests of the simulated GitHub', () => {
  it('takes shas, mergeability and counts from git', async () => {
    await open('fix', { 'src/sum.js': 'export const sum = (a, b) => a + b;\n', 'new.txt': 'one\ntwo\n' });
    const { data } = await pulls().get(numbered(1));
    expect(data).toMatchObject({
      state: 'open',
      merged: false,
      mergeable: true,
      mergeable_state: 'clean',
      commits: 1,
      additions: 3,
      deletions: 1,
      changed_files: 2,
      head: { ref: 'fix', label: 'owner:fix', repo: { full_name: repositoryName } },
      base: { ref: 'main' },
    });
    const { data: head } = await trial.octokit().rest.git.getRef({ ...repository, ref: 'heads/fix' });
    expect(data.head.sha).toBe(head.object.sha);
  });

  it('lists what changed file by file, with patches', async () => {
    await open('fix', {
      'src/sum.js': 'export const sum = (a, b) => a + b;\n',
      'docs/日本語 notes.md': 'Hi\n',
    });
    const { data } = await pulls().listFiles(numbered(1));
    expect(
      data.map(({ filename, status, additions, deletions }) => [filename, status, additions, deletions]),
    ).toEqual([
      ['docs/日本語 notes.md', 'added', 1, 0],
      ['src/sum.js', 'modified', 1, 1],
    ]);
    expect(data[1]?.patch).toBe(
      '@@ -1 +1 @@\n-export const sum = (a, b) => a - b;\n+export const sum = (a, b) => a + b;',
    );
    const { data: diff } = await pulls().get({ ...numbered(1), mediaType: { format: 'diff' } });
    expect(diff).toContain('+export const sum = (a, b) => a + b;');
    expect((await pulls().listCommits(numbered(1))).data).toHaveLength(1);
  });

  it('says when it conflicts with its base', async () => {
    await open('one', { 'README.md': '# One\n' });
    await open('two', { 'README.md': '# Two\n' });
    trial.simulator.closeThread(repositoryName, 1, { merged: true });
    expect((await pulls().get(numbered(2))).data).toMatchObject({
      mergeable: false,
      mergeable_state: 'dirty',
    });
    await expect(pulls().merge(numbered(2))).rejects.toMatchObject({ status: 405 });
  });

  it('refuses a missing head, a missing base, no commits between, and a second one from the same head', async () => {
    await open('fix');
    const create = (pull: object) =>
      pulls().create({ ...repository, title: 'x', base: 'main', head: 'fix', ...pull });
    const refusal = (error: object) => ({
      status: 422,
      response: { data: { message: 'Validation Failed', errors: [{ resource: 'PullRequest', ...error }] } },
    });
    await expect(create({ head: 'none' })).rejects.toMatchObject(refusal({ field: 'head', code: 'invalid' }));
    await expect(create({ head: 'nobody:fix' })).rejects.toMatchObject(
      refusal({ field: 'head', code: 'invalid' }),
    );
    await expect(create({ base: 'none' })).rejects.toMatchObject(refusal({ field: 'base', code: 'invalid' }));
    await expect(create({ head: 'main' })).rejects.toMatchObject(
      refusal({ message: 'No commits between main and main' }),
    );
    await expect(create({ head: 'owner:fix' })).rejects.toMatchObject(
      refusal({ message: 'A pull request already exists for owner:fix.' }),
    );
    await expect(create({ title: undefined })).rejects.toMatchObject({ status: 422 });
    await expect(
      pulls('stranger-token').create({ ...repository, title: 'x', base: 'main', head: 'fix' }),
    ).rejects.toMatchObject({ status: 403 });
  });

  it('opens only one of two that are asked for at the same time', async () => {
    await open('fix');
    trial.simulator.closeThread(repositoryName, 1);
    const create = () =>
      pulls().create({ ...repository, title: 'x', base: 'main', head: 'fix', draft: true });
    const results = await Promise.allSettled([create(), create(), create()]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(trial.simulator.threads(repositoryName)).toHaveLength(2);
  });

  it('opens drafts, except where a repository has none', async () => {
    await open('fix');
    const { data } = await pulls()
      .create({ ...repository, title: 'x', base: 'main', head: 'fix', draft: true })
      .catch(async () => {
        trial.simulator.closeThread(repositoryName, 1);
        return pulls().create({ ...repository, title: 'x', base: 'main', head: 'fix', draft: true });
      });
    expect(data).toMatchObject({ draft: true, mergeable_state: 'draft' });
    await expect(pulls().merge(numbered(data.number))).rejects.toMatchObject({
      status: 405,
      message: expect.stringContaining('still a draft'),
    });
    await trial.simulator.addRepository({ owner: 'owner', name: 'plain', allowsDrafts: false });
    const seed = { repo: 'owner/plain', author: 'owner', title: 'x', headBranch: 'x', files: { x: 'x' } };
    await expect(trial.simulator.openPullRequest({ ...seed, draft: true })).rejects.toThrow(
      'Draft pull requests are not supported',
    );
    expect((await trial.simulator.openPullRequest(seed)).pullRequest?.draft).toBe(false);
  });

  it('lists by state, head, base and order; a head without owner is ignored', async () => {
    await open('one');
    await open('two');
    trial.simulator.closeThread(repositoryName, 1);
    const numbers = async (query: object) =>
      (await pulls().list({ ...repository, ...query })).data.map(({ number }) => number);
    expect(await numbers({})).toEqual([2]);
    expect(await numbers({ state: 'all' })).toEqual([2, 1]);
    expect(await numbers({ state: 'all', sort: 'updated' })).toEqual([1, 2]);
    expect(await numbers({ state: 'all', head: 'owner:one' })).toEqual([1]);
    expect(await numbers({ state: 'all', head: 'one' })).toEqual([2, 1]);
    expect(await numbers({ state: 'all', base: 'other' })).toEqual([]);
  });

  it('requests reviews of collaborators, and refuses the author and everyone else with 422', async () => {
    await open('fix');
    const request = (...reviewers: readonly string[]) =>
      pulls().requestReviewers({ ...numbered(1), reviewers: [...reviewers] });
    expect((await request('alice', 'owner')).data.requested_reviewers).toMatchObject([
      { login: 'alice' },
      { login: 'owner' },
    ]);
    for (const [login, message] of [
      ['agent', 'Review cannot be requested from pull request author.'],
      ['stranger', 'Reviews may only be requested from collaborators.'],
      ['nobody-here', 'Reviews may only be requested from collaborators.'],
    ] as const)
      await expect(request('alice', login)).rejects.toMatchObject({
        status: 422,
        message: expect.stringContaining(message),
      });
    expect((await pulls().get(numbered(1))).data.requested_reviewers).toHaveLength(2);
  });
});
