import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { repository, repositoryName, startTrial, type Trial } from './trial.ts';

let trial: Trial;

beforeEach(async () => {
  trial = await startTrial();
});

afterEach(() => trial.close());

const second = 1000;

describe('issues of the simulated GitHub', () => {
  it('gives issues and pull requests numbers from one sequence', async () => {
    const { simulator } = trial;
    const issue = simulator.openIssue({ repo: repositoryName, author: 'alice', title: 'One' });
    const pull = await simulator.openPullRequest({
      repo: repositoryName,
      author: 'agent',
      title: 'Two',
      headBranch: 'change',
      files: { 'a.txt': 'a\n' },
    });
    const { data } = await trial.octokit('agent-token').rest.issues.create({ ...repository, title: 'Three' });
    expect([issue.number, pull.number, data.number]).toEqual([1, 2, 3]);
  });

  it('lists pull requests among issues, told apart by the key pull_request', async () => {
    const { simulator } = trial;
    simulator.openIssue({ repo: repositoryName, author: 'alice', title: 'Issue' });
    const pull = { repo: repositoryName, author: 'agent', title: 'Pull', headBranch: 'x', files: { a: 'a' } };
    await simulator.openPullRequest(pull);
    const { data } = await trial.octokit('agent-token').rest.issues.listForRepo(repository);
    expect(data.map(({ title, pull_request }) => [title, pull_request !== undefined])).toEqual([
      ['Pull', true],
      ['Issue', false],
    ]);
  });

  it('filters by state, labels (all of them), assignee and creator', async () => {
    const { simulator } = trial;
    const open = { repo: repositoryName, author: 'alice' };
    simulator.openIssue({ ...open, title: 'both', labels: ['bug', 'Coding Agent'], assignees: ['agent'] });
    simulator.openIssue({ ...open, title: 'one', labels: ['bug'] });
    simulator.openIssue({ ...open, author: 'owner', title: 'closed' });
    simulator.closeThread(repositoryName, 3);
    const { listForRepo } = trial.octokit('agent-token').rest.issues;
    const titles = async (query: object) =>
      (await listForRepo({ ...repository, ...query })).data.map(({ title }) => title);
    expect(await titles({})).toEqual(['one', 'both']);
    expect(await titles({ labels: 'bug,coding agent' })).toEqual(['both']);
    expect(await titles({ state: 'closed' })).toEqual(['closed']);
    expect(await titles({ state: 'all', direction: 'asc' })).toEqual(['both', 'one', 'closed']);
    expect(await titles({ assignee: 'agent' })).toEqual(['both']);
    expect(await titles({ assignee: 'none' })).toEqual(['one']);
    expect(await titles({ assignee: '*' })).toEqual(['both']);
    expect(await titles({ state: 'all', creator: 'owner' })).toEqual(['closed']);
  });

  it('refuses to filter by an assignee that nobody is', async () => {
    const listing = trial
      .octokit('agent-token')
      .rest.issues.listForRepo({ ...repository, assignee: 'nobody' });
    await expect(listing).rejects.toMatchObject({
      status: 422,
      response: { data: { errors: [{ field: 'assignee' }] } },
    });
  });

  it('lists what was updated at `since` or later, equal timestamps included', async () => {
    const { simulator, pass } = trial;
    simulator.openIssue({ repo: repositoryName, author: 'alice', title: 'early' });
    pass(10 * second);
    simulator.openIssue({ repo: repositoryName, author: 'alice', title: 'late' });
    const { listForRepo } = trial.octokit('agent-token').rest.issues;
    const titles = async (since: string) =>
      (await listForRepo({ ...repository, since })).data.map(({ title }) => title);
    expect(await titles('2024-05-01T00:00:10Z')).toEqual(['late']);
    expect(await titles('2024-05-01T00:00:11Z')).toEqual([]);
    expect(await titles('2024-05-01T02:00:00+02:00')).toEqual(['late', 'early']);
  });

  it('bumps updated_at for comments and text, not for labels and assignees', async () => {
    const { simulator, pass } = trial;
    simulator.openIssue({ repo: repositoryName, author: 'alice', title: 'Issue' });
    const updated = () => simulator.thread(repositoryName, 1).updatedAt;
    pass(second);
    simulator.addLabels(repositoryName, 1, ['bug']);
    simulator.removeLabel(repositoryName, 1, 'bug');
    simulator.assign(repositoryName, 1, ['agent']);
    await trial
      .octokit('agent-token')
      .rest.issues.addLabels({ ...repository, issue_number: 1, labels: ['bug'] });
    expect(updated()).toBe('2024-05-01T00:00:00Z');
    const { id } = simulator.comment({ repo: repositoryName, number: 1, author: 'alice', body: 'Hello' });
    expect(updated()).toBe('2024-05-01T00:00:01Z');
    pass(second);
    simulator.editComment(repositoryName, id, 'Hello!');
    expect(updated()).toBe('2024-05-01T00:00:02Z');
    pass(second);
    simulator.editThread(repositoryName, 1, { body: 'More' });
    expect(updated()).toBe('2024-05-01T00:00:03Z');
  });
});
