import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openChange, project, projectApi, startTrial, type Trial } from './trial.ts';

let trial: Trial;

beforeEach(async () => {
  trial = await startTrial();
  trial.simulator.openIssue({ project, author: 'guest', title: 'Talk', labels: ['old'] });
});

afterEach(() => trial.close());

const write = (body: string, token = 'agent-token') =>
  trial.rest(`${projectApi}/issues/1/notes`, { method: 'POST', token, body: { body } });
const thread = () => trial.simulator.thread(project, '#1');

describe('quick actions of the simulated GitLab', () => {
  it('are carried out and cut out of the note', async () => {
    const { status, body } = await write('Done here.\n/close\n/label ~new ~"two words"\n/unlabel ~old\nBye.');
    expect(status).toBe(201);
    expect(body.body).toBe('Done here.\nBye.');
    expect(thread()).toMatchObject({ state: 'closed', labels: ['new', 'two words'] });
  });

  it('leave no note of themselves when there is nothing else: 202', async () => {
    const { status, body } = await write('/assign @agent\n/title Better');
    expect(status).toBe(202);
    expect(body.summary).toEqual(['Ran /assign.', 'Ran /title.']);
    expect(thread()).toMatchObject({ title: 'Better', assignees: ['agent'] });
    expect(thread().notes.every(({ system }) => system)).toBe(true);
    await write('/unassign');
    expect(thread().assignees).toEqual([]);
  });

  it('stay text in code blocks, in the middle of a line, and where GitLab does not know the word', async () => {
    const text = '```\n/close\n```\nsay /close\n /close\n/stop\n/no-inherit';
    expect((await write(text)).body.body).toBe(text);
    expect(thread().state).toBe('opened');
  });

  it('stay text for those who may not', async () => {
    expect((await write('/label ~mine', 'guest-token')).body.body).toBe('/label ~mine');
    expect((await write('/close', 'guest-token')).status).toBe(202);
    expect(thread()).toMatchObject({ state: 'closed', labels: ['old'] });
  });

  it('know drafts, locks and reopening', async () => {
    await write('/lock');
    await write('/close');
    await write('/reopen');
    expect((await trial.api().Issues.show(1, { projectId: project })).discussion_locked).toBe(true);
    await write('/unlock');
    await openChange(trial, 'x');
    await trial.api().MergeRequestNotes.create(project, 1, 'Not yet\n/draft');
    expect(trial.simulator.thread(project, '!1').mergeRequest?.draft).toBe(true);
    await trial.api().MergeRequestNotes.create(project, 1, 'Now\n/ready');
    expect(trial.simulator.thread(project, '!1').title).toBe('Change x');
    expect((await write('/draft')).body.body).toBe('/draft');
  });
});
