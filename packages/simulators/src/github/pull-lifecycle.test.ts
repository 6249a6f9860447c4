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

describe('the life of a pull request on the simulated GitHub', () => {
  it('edits title and body, closes and reopens', async () => {
    await open('fix');
    const { data } = await pulls().update({ ...numbered(1), title: 'Better', body: 'Why' });
    expect(data).toMatchObject({ title: 'Better', body: 'Why' });
    expect((await pulls().update({ ...numbered(1), state: 'closed' })).data).toMatchObject({
      state: 'closed',
      mergeable: null,
    });
    expect((await pulls().update({ ...numbered(1), state: 'open' })).data.state).toBe('open');
    await expect(pulls().update({ ...numbered(1), base: 'none' })).rejects.toMatchObject({ status: 422 });
    await expect(pulls('stranger-token').update({ ...numbered(1), title: 'x' })).rejects.toMatchObject({
      status: 403,
    });
  });

  it('merges in git, and then can neither be merged nor reopened', async () => {
    await open('fix', { 'fixed.txt': 'yes\n' });
    const { data } = await pulls().merge(numbered(1));
    expect((await pulls().get(numbered(1))).data).toMatchObject({
      merged: true,
      state: 'closed',
      merged_by: { login: 'agent' },
      merge_commit_sha: data.sha,
    });
    const { data: file } = await trial
      .octokit()
      .rest.repos.getContent({ ...repository, path: 'fixed.txt', mediaType: { format: 'raw' } });
    expect(file).toBe('yes\n');
    expect((await pulls().checkIfMerged(numbered(1))).status).toBe(204);
    await expect(pulls().merge(numbered(1))).rejects.toMatchObject({ status: 405 });
    await expect(pulls().update({ ...numbered(1), state: 'open' })).rejects.toMatchObject({ status: 422 });
  });

  it('answers 404 for an issue, and shows the pull request among issues', async () => {
    trial.simulator.openIssue({ repo: repositoryName, author: 'alice', title: 'Issue' });
    await open('fix');
    await expect(pulls().get(numbered(1))).rejects.toMatchObject({ status: 404 });
    const { data } = await trial.octokit().rest.issues.get({ ...repository, issue_number: 2 });
    expect(data).toMatchObject({
      draft: false,
      pull_request: { merged_at: null, url: expect.stringContaining('/pulls/2') },
    });
  });

  it('closes when its head branch is deleted, and is not reopened without it', async () => {
    await open('fix');
    await trial.octokit('agent-token').rest.git.deleteRef({ ...repository, ref: 'heads/fix' });
    expect(trial.simulator.thread(repositoryName, 1).state).toBe('closed');
    await expect(pulls().update({ ...numbered(1), state: 'open' })).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining('has been deleted'),
    });
  });

  it('is merged when its commits are pushed to the base', async () => {
    await open('fix');
    const { data } = await pulls().get(numbered(1));
    await trial
      .octokit('agent-token')
      .rest.git.updateRef({ ...repository, ref: 'heads/main', sha: data.head.sha });
    expect(trial.simulator.thread(repositoryName, 1)).toMatchObject({
      state: 'closed',
      pullRequest: { merged: true },
    });
  });

  it("comes from a fork, and outlives the fork's deletion", async () => {
    trial.simulator.addUser({ login: 'forker' });
    await trial.simulator.addRepository({ owner: 'forker', name: 'demo', forkOf: repositoryName });
    await trial.simulator.openPullRequest({
      repo: repositoryName,
      author: 'forker',
      title: 'From afar',
      headBranch: 'idea',
      headRepository: 'forker/demo',
      files: { 'idea.txt': 'idea\n' },
    });
    const { data } = await pulls().get(numbered(1));
    expect(data).toMatchObject({
      head: { label: 'forker:idea', repo: { full_name: 'forker/demo', fork: true } },
      changed_files: 1,
      mergeable: true,
    });
    expect((await pulls().list({ ...repository, head: 'forker:idea' })).data).toHaveLength(1);
    trial.simulator.deleteRepository('forker/demo');
    expect((await pulls().get(numbered(1))).data.head).toMatchObject({ label: 'forker:idea', repo: null });
  });
});
