import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { project, projectApi, startTrial, type Trial } from './trial.ts';

let trial: Trial;
const minute = 60_000;

beforeEach(async () => {
  trial = await startTrial();
});

afterEach(() => trial.close());

const open = (title: string, labels: readonly string[] = [], assignees: readonly string[] = []) =>
  trial.simulator.openIssue({ project, author: 'reporter', title, labels, assignees });
const list = async (query: object) =>
  (await trial.api().Issues.all({ projectId: project, ...query })).map(({ title }) => title);

describe('lists of issues of the simulated GitLab', () => {
  it('shows the newest first, and all states unless asked otherwise', async () => {
    open('first');
    trial.pass(minute);
    open('second');
    trial.simulator.closeThread(project, '#1');
    expect(await list({})).toEqual(['second', 'first']);
    expect(await list({ state: 'opened' })).toEqual(['second']);
    expect(await list({ state: 'closed' })).toEqual(['first']);
    expect(await list({ sort: 'asc' })).toEqual(['first', 'second']);
    expect(await list({ orderBy: 'updated_at' })).toEqual(['second', 'first']);
  });

  it('joins labels by AND, minds their case, and knows None and Any', async () => {
    open('both', ['coding agent', 'bug']);
    open('one', ['bug']);
    open('none');
    expect(await list({ labels: 'bug' })).toEqual(['one', 'both']);
    expect(await list({ labels: 'bug,coding agent' })).toEqual(['both']);
    expect(await list({ labels: 'Bug' })).toEqual([]);
    expect(await list({ labels: 'None' })).toEqual(['none']);
    expect(await list({ labels: 'Any' })).toEqual(['one', 'both']);
  });

  it('finds by assignee, author, text, iid and time', async () => {
    open('mine', [], ['agent']);
    trial.pass(minute);
    open('other');
    expect(await list({ assigneeUsername: ['agent'] })).toEqual(['mine']);
    expect(await list({ assigneeId: 'None' })).toEqual(['other']);
    expect(await list({ assigneeId: trial.userIds.agent })).toEqual(['mine']);
    expect(await list({ authorUsername: 'agent' })).toEqual([]);
    expect(await list({ search: 'OTH' })).toEqual(['other']);
    expect(await list({ iids: [1] })).toEqual(['mine']);
    expect(await list({ updatedAfter: '2024-05-01T00:01:00Z' })).toEqual(['other']);
    expect(await list({ updatedBefore: '2024-05-01T00:00:30Z' })).toEqual(['mine']);
  });

  it('refuses values that it does not know, and overlooks names that it does not know', async () => {
    const wrong = await trial.rest(`${projectApi}/issues?state=open&sort=up`);
    expect(wrong).toMatchObject({
      status: 400,
      body: { error: 'sort does not have a valid value, state does not have a valid value' },
    });
    expect((await trial.rest(`${projectApi}/issues?updated_after=soon`)).body.error).toBe(
      'updated_after is invalid',
    );
    expect((await trial.rest(`${projectApi}/issues?whatever=1`)).status).toBe(200);
  });

  it('shows confidential issues only to those concerned', async () => {
    trial.simulator.openIssue({ project, author: 'reporter', title: 'secret', confidential: true });
    expect((await trial.rest(`${projectApi}/issues/1`, { token: 'guest-token' })).status).toBe(404);
    expect((await trial.rest(`${projectApi}/issues`, { token: 'guest-token' })).body).toEqual([]);
    trial.simulator.assign(project, '#1', ['guest']);
    expect((await trial.rest(`${projectApi}/issues/1`, { token: 'guest-token' })).status).toBe(200);
  });

  it('lists across projects: of a group, and everywhere what one made', async () => {
    await trial.simulator.addProject({ path: 'group/sub/second', members: { agent: 'developer' } });
    open('here');
    trial.simulator.openIssue({ project: 'group/sub/second', author: 'agent', title: 'there' });
    const titles = async (path: string) =>
      (await trial.rest(path)).body.map(({ title }: { title: string }) => title);
    expect(await titles('/groups/group/issues')).toEqual(['there', 'here']);
    expect(await titles('/issues')).toEqual(['there']);
    expect(await titles('/issues?scope=all')).toEqual(['there', 'here']);
    expect((await trial.rest('/issues', { token: null })).status).toBe(401);
    expect((await trial.rest('/groups/nowhere/issues')).body).toEqual({ message: '404 Group Not Found' });
  });
});
