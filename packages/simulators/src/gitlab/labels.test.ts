import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { project, projectApi, refusal, startTrial, type Trial } from './trial.ts';

let trial: Trial;

beforeEach(async () => {
  trial = await startTrial();
});

afterEach(() => trial.close());

const labels = (token = 'reporter-token') => trial.api(token).ProjectLabels;

describe('labels of the simulated GitLab', () => {
  it('are none in a new project, and are made, shown by id and name, changed and deleted', async () => {
    expect(await labels().all(project)).toEqual([]);
    const label = await labels().create(project, 'coding agent', '#ABC', { description: 'Work for it' });
    expect(label).toMatchObject({ name: 'coding agent', color: '#AABBCC', description: 'Work for it' });
    expect(await labels().show(project, 'coding agent')).toEqual(label);
    expect(await labels().show(project, label.id)).toEqual(label);
    trial.simulator.openIssue({ project, author: 'agent', title: 'x', labels: ['coding agent'] });
    await labels().edit(project, 'coding agent', { newName: 'agent' });
    expect(trial.simulator.thread(project, '#1').labels).toEqual(['agent']);
    await labels().remove(project, 'agent');
    expect(trial.simulator.thread(project, '#1').labels).toEqual([]);
    expect(await refusal(labels().show(project, 'agent'))).toEqual({
      status: 404,
      message: '404 Label Not Found',
    });
  });

  it('refuse a name that is taken with 409, another case is another label', async () => {
    await labels().create(project, 'bug', '#ff0000');
    expect(await refusal(labels().create(project, 'bug', '#ff0000'))).toEqual({
      status: 409,
      message: 'Label already exists',
    });
    expect((await labels().create(project, 'Bug', 'red')).name).toBe('Bug');
    const taken = await trial.rest(`${projectApi}/labels/Bug`, { method: 'PUT', body: { new_name: 'bug' } });
    expect(taken.body).toEqual({ message: { title: ['has already been taken'] } });
  });

  it('refuse a missing or wrong color, a comma, and an empty change', async () => {
    const make = (body: object) => trial.rest(`${projectApi}/labels`, { method: 'POST', body });
    expect((await make({ name: 'x' })).body).toEqual({ error: 'color is missing' });
    expect((await make({ name: 'x', color: '#zz' })).body.message.color).toEqual([
      'must be a valid color code',
    ]);
    expect((await make({ name: 'a,b', color: '#123456' })).body.message.title).toEqual(['is invalid']);
    expect((await make({ name: '', color: '#123456' })).body).toEqual({ error: 'name is empty' });
    await make({ name: 'x', color: '#123456' });
    const nothing = await trial.rest(`${projectApi}/labels/x`, { method: 'PUT', body: {} });
    expect(nothing.status).toBe(400);
  });

  it('are made by planners and above', async () => {
    expect((await refusal(labels('guest-token').create(project, 'x', '#123456'))).status).toBe(403);
    expect((await trial.rest(`${projectApi}/labels`, { token: null })).status).toBe(401);
  });

  it('are counted when asked', async () => {
    trial.simulator.openIssue({ project, author: 'agent', title: 'x', labels: ['a'] });
    trial.simulator.openIssue({ project, author: 'agent', title: 'y', labels: ['a'] });
    trial.simulator.closeThread(project, '#2');
    expect(await labels().all(project, { withCounts: true })).toMatchObject([
      { name: 'a', open_issues_count: 1, closed_issues_count: 1, open_merge_requests_count: 0 },
    ]);
    expect(await labels().all(project, { search: 'b' })).toEqual([]);
  });
});
