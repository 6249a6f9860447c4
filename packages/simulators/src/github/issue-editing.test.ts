import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { repository, repositoryName, startTrial, type Trial } from './trial.ts';

let trial: Trial;

beforeEach(async () => {
  trial = await startTrial();
});

afterEach(() => trial.close());

describe('editing issues of the simulated GitHub', () => {
  it('edits, closes and reopens an issue', async () => {
    const { issues } = trial.octokit('agent-token').rest;
    await issues.create({ ...repository, title: 'Before', body: 'text' });
    const { data: closed } = await issues.update({
      ...repository,
      issue_number: 1,
      title: 'After',
      body: '',
      state: 'closed',
      state_reason: 'not_planned',
    });
    expect(closed).toMatchObject({
      title: 'After',
      body: '',
      state: 'closed',
      state_reason: 'not_planned',
      closed_by: { login: 'agent' },
    });
    const { data: open } = await issues.update({ ...repository, issue_number: 1, state: 'open' });
    expect(open).toMatchObject({ state: 'open', state_reason: 'reopened', closed_at: null, closed_by: null });
  });

  it('lets only authors and people with write access edit an issue', async () => {
    trial.simulator.openIssue({ repo: repositoryName, author: 'alice', title: 'Hers' });
    const edit = (token: string) =>
      trial.octokit(token).rest.issues.update({ ...repository, issue_number: 1, title: 'x' });
    await expect(edit('stranger-token')).rejects.toMatchObject({ status: 403 });
    expect((await edit('alice-token')).status).toBe(200);
    expect((await edit('agent-token')).status).toBe(200);
  });

  it('drops labels and assignees of an issue opened without push access, in silence', async () => {
    const opening = { ...repository, title: 'Please', labels: ['bug'], assignees: ['agent'] };
    const { data } = await trial.octokit('stranger-token').rest.issues.create(opening);
    expect([data.labels, data.assignees]).toEqual([[], []]);
    const { data: mine } = await trial.octokit('agent-token').rest.issues.create(opening);
    expect([mine.labels, mine.assignees]).toMatchObject([[{ name: 'bug' }], [{ login: 'agent' }]]);
  });

  it('refuses a missing title, a blank one, one of 257 characters and a body of 65,537', async () => {
    const { issues } = trial.octokit('agent-token').rest;
    const create = (issue: object) =>
      issues.create({ ...repository, ...issue } as Parameters<typeof issues.create>[0]);
    await expect(create({})).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining(`"title" wasn't supplied.`),
    });
    await expect(create({ title: ' ' })).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining('missing_field'),
    });
    await expect(create({ title: 'x'.repeat(257) })).rejects.toMatchObject({
      message: expect.stringContaining('maximum is 256'),
    });
    await expect(create({ title: 'x', body: 'あ'.repeat(65_537) })).rejects.toMatchObject({
      message: expect.stringContaining('body is too long (maximum is 65536 characters)'),
    });
    expect((await create({ title: 'x', body: '😀'.repeat(65_536) })).status).toBe(201);
    expect(trial.simulator.threads(repositoryName)).toHaveLength(1);
  });

  it('answers 404 for an issue that never was, 410 for a deleted one and where issues are switched off', async () => {
    const { simulator } = trial;
    simulator.openIssue({ repo: repositoryName, author: 'alice', title: 'Gone soon' });
    simulator.deleteThread(repositoryName, 1);
    await simulator.addRepository({ owner: 'owner', name: 'quiet', hasIssues: false });
    const { issues } = trial.octokit('owner-token').rest;
    await expect(issues.get({ ...repository, issue_number: 1 })).rejects.toMatchObject({ status: 410 });
    await expect(issues.get({ ...repository, issue_number: 9 })).rejects.toMatchObject({ status: 404 });
    await expect(issues.create({ owner: 'owner', repo: 'quiet', title: 'x' })).rejects.toMatchObject({
      status: 410,
    });
    await expect(issues.listForRepo({ owner: 'owner', repo: 'quiet' })).rejects.toMatchObject({
      status: 410,
    });
  });

  it('says how the author stands to the repository', async () => {
    const { simulator } = trial;
    for (const author of ['owner', 'agent', 'stranger'])
      simulator.openIssue({ repo: repositoryName, author, title: author });
    const { data } = await trial.octokit().rest.issues.listForRepo({ ...repository, direction: 'asc' });
    expect(data.map((issue) => issue.author_association)).toEqual(['OWNER', 'COLLABORATOR', 'NONE']);
  });

  it('shows what a deleted account wrote as by ghost, or by nobody', async () => {
    const { simulator } = trial;
    for (const author of ['alice', 'stranger'])
      simulator.openIssue({ repo: repositoryName, author, title: author });
    simulator.deleteUser('alice');
    simulator.deleteUser('stranger', { as: 'null' });
    const { data } = await trial
      .octokit('agent-token')
      .rest.issues.listForRepo({ ...repository, direction: 'asc' });
    expect(data.map(({ user }) => user?.login ?? null)).toEqual(['ghost', null]);
    await expect(trial.octokit('alice-token').rest.users.getAuthenticated()).rejects.toMatchObject({
      status: 401,
    });
  });

  it('tells a test what it forgot: users, repositories, threads', () => {
    const { simulator } = trial;
    expect(() => simulator.openIssue({ repo: repositoryName, author: 'nobody', title: 'x' })).toThrow(
      'addUser',
    );
    expect(() => simulator.openIssue({ repo: 'no/where', author: 'alice', title: 'x' })).toThrow(
      'addRepository',
    );
    expect(() => simulator.thread(repositoryName, 7)).toThrow('The simulator has no #7 in owner/demo.');
  });
});
