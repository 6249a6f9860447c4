import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { repository, repositoryName, startTrial, type Trial } from './trial.ts';

let trial: Trial;
const thread = { ...repository, issue_number: 1 };

beforeEach(async () => {
  trial = await startTrial();
  trial.simulator.openIssue({ repo: repositoryName, author: 'stranger', title: 'Talk' });
});

afterEach(() => trial.close());

const issues = (token = 'agent-token') => trial.octokit(token).rest.issues;
const names = (labels: readonly { name?: string }[]) => labels.map(({ name }) => name);

describe('labels of the simulated GitHub', () => {
  it('begins with the nine default labels', async () => {
    const { data } = await issues().listLabelsForRepo(repository);
    expect(names(data)).toEqual([
      'bug',
      'documentation',
      'duplicate',
      'enhancement',
      'good first issue',
      'help wanted',
      'invalid',
      'question',
      'wontfix',
    ]);
  });

  it('creates, reads, renames and deletes a label; threads follow', async () => {
    await issues().createLabel({
      ...repository,
      name: 'coding agent',
      color: 'AABBCC',
      description: 'for us',
    });
    await issues().addLabels({ ...thread, labels: ['Coding Agent'] });
    const { data } = await issues().updateLabel({
      ...repository,
      name: 'coding agent',
      new_name: 'agent/ todo',
    });
    expect(data).toMatchObject({ name: 'agent/ todo', color: 'aabbcc', description: 'for us' });
    expect(trial.simulator.thread(repositoryName, 1).labels).toEqual(['agent/ todo']);
    expect((await issues().getLabel({ ...repository, name: 'AGENT/ TODO' })).data.name).toBe('agent/ todo');
    await issues().deleteLabel({ ...repository, name: 'agent/ todo' });
    expect(trial.simulator.thread(repositoryName, 1).labels).toEqual([]);
    await expect(issues().getLabel({ ...repository, name: 'agent/ todo' })).rejects.toMatchObject({
      status: 404,
    });
  });

  it('refuses a label that exists in another case, a bad color, no name, and a name of 51 characters', async () => {
    const create = (label: object) =>
      issues().createLabel({ ...repository, ...label } as { owner: string; repo: string; name: string });
    const refusal = (error: object) => ({
      status: 422,
      response: { data: { message: 'Validation Failed', errors: [{ resource: 'Label', ...error }] } },
    });
    await expect(create({ name: 'BUG' })).rejects.toMatchObject(
      refusal({ code: 'already_exists', field: 'name' }),
    );
    await expect(create({ name: 'x', color: 'red' })).rejects.toMatchObject(
      refusal({ code: 'invalid', field: 'color' }),
    );
    await expect(create({})).rejects.toMatchObject(refusal({ code: 'missing_field', field: 'name' }));
    await expect(create({ name: 'x'.repeat(51) })).rejects.toMatchObject(
      refusal({ code: 'custom', field: 'name' }),
    );
  });

  it('makes in the repository the labels that are added to a thread', async () => {
    const { data } = await issues().addLabels({ ...thread, labels: ['processing'] });
    expect(data).toMatchObject([{ name: 'processing', color: 'ededed', default: false, description: null }]);
    expect((await issues().getLabel({ ...repository, name: 'processing' })).status).toBe(200);
  });

  it('removes one label, and answers 404 for one that is not on the thread', async () => {
    await issues().addLabels({ ...thread, labels: ['one', 'two'] });
    const { data } = await issues().removeLabel({ ...thread, name: 'one' });
    expect(names(data)).toEqual(['two']);
    await expect(issues().removeLabel({ ...thread, name: 'one' })).rejects.toMatchObject({
      status: 404,
      response: { data: { message: 'Label does not exist' } },
    });
  });

  it('sets and clears all labels of a thread', async () => {
    await issues().addLabels({ ...thread, labels: ['one'] });
    expect(names((await issues().setLabels({ ...thread, labels: ['two', 'three'] })).data)).toEqual([
      'two',
      'three',
    ]);
    expect(names((await issues().listLabelsOnIssue(thread)).data)).toEqual(['two', 'three']);
    expect((await issues().removeAllLabels(thread)).status).toBe(204);
    expect(trial.simulator.thread(repositoryName, 1).labels).toEqual([]);
  });

  it('lets people with triage access label threads, and only those with write access make labels', async () => {
    expect((await issues('alice-token').addLabels({ ...thread, labels: ['bug'] })).status).toBe(200);
    await expect(issues('alice-token').createLabel({ ...repository, name: 'x' })).rejects.toMatchObject({
      status: 403,
    });
    await expect(issues('stranger-token').addLabels({ ...thread, labels: ['bug'] })).rejects.toMatchObject({
      status: 403,
    });
  });
});

describe('assignees of the simulated GitHub', () => {
  it('assigns those who can be assigned and ignores the others in silence', async () => {
    const { data, status } = await issues().addAssignees({
      ...thread,
      assignees: ['Agent', 'nobody', 'stranger'],
    });
    expect(status).toBe(201);
    expect(data.assignees?.map(({ login }) => login)).toEqual(['agent', 'stranger']);
    await issues().removeAssignees({ ...thread, assignees: ['agent', 'nobody'] });
    expect(trial.simulator.thread(repositoryName, 1).assignees).toEqual(['stranger']);
  });

  it('does nothing for somebody without triage access', async () => {
    await issues('stranger-token').addAssignees({ ...thread, assignees: ['agent'] });
    expect(trial.simulator.thread(repositoryName, 1).assignees).toEqual([]);
  });

  it('tells a test that assigns somebody without access', () => {
    trial.simulator.addUser({ login: 'passer-by' });
    expect(() => trial.simulator.assign(repositoryName, 1, ['passer-by'])).toThrow("can't be assigned");
  });
});
