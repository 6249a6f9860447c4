import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openChange, project, projectApi, refusal, startTrial, type Trial } from './trial.ts';

let trial: Trial;

beforeEach(async () => {
  trial = await startTrial();
});

afterEach(() => trial.close());

const open = (title: string, labels: readonly string[] = [], assignees: readonly string[] = []) =>
  trial.simulator.openIssue({ project, author: 'reporter', title, labels, assignees });

describe('issues of the simulated GitLab', () => {
  it('creates with labels that did not exist, and numbers them apart from merge requests', async () => {
    await openChange(trial, 'x');
    const issue = await trial.api().Issues.create(project, 'New', { labels: 'b,a', description: 'Text' });
    expect(issue).toMatchObject({ iid: 1, labels: ['a', 'b'], state: 'opened', description: 'Text' });
    expect(issue.references.full).toBe('group/demo#1');
    expect((await trial.api().ProjectLabels.all(project)).map(({ name }) => name)).toEqual(['a', 'b']);
  });

  it('refuses what is missing, blank or too long', async () => {
    const create = (body: object) => trial.rest(`${projectApi}/issues`, { method: 'POST', body });
    expect((await create({})).body).toEqual({ error: 'title is missing' });
    expect((await create({ title: 7 })).body).toEqual({ error: 'title is invalid' });
    expect((await create({ title: ' ' })).body).toEqual({ message: { title: ["can't be blank"] } });
    expect((await create({ title: 'x'.repeat(256) })).body.message.title[0]).toContain('too long');
    expect((await create({ title: 'x'.repeat(255) })).status).toBe(201);
    const unreadable = await fetch(`${trial.simulator.url}/api/v4${projectApi}/issues`, {
      method: 'POST',
      headers: { 'private-token': 'agent-token', 'content-type': 'application/json' },
      body: '{"title": ',
    });
    expect(unreadable.status).toBe(400);
  });

  it('adds and removes labels one by one; removing what is not there does nothing', async () => {
    open('x', ['keep', 'go']);
    const edit = (labels: object) => trial.api().Issues.edit(project, 1, labels);
    expect((await edit({ addLabels: 'new,keep', removeLabels: 'go,never' })).labels).toEqual(['keep', 'new']);
    expect((await edit({ labels: 'only' })).labels).toEqual(['only']);
    expect((await edit({ labels: '' })).labels).toEqual([]);
  });

  it('tells of labels and states as events, not as notes', async () => {
    open('x');
    await trial.api().Issues.edit(project, 1, { addLabels: 'a', stateEvent: 'close' });
    await trial.api().Issues.edit(project, 1, { removeLabels: 'a', stateEvent: 'reopen' });
    expect(trial.simulator.thread(project, '#1').notes).toEqual([]);
    const events = (kind: string) => trial.rest(`${projectApi}/issues/1/resource_${kind}_events`);
    expect((await events('label')).body).toMatchObject([
      { action: 'add', label: { name: 'a' }, user: { username: 'agent' } },
      { action: 'remove', label: { name: 'a' } },
    ]);
    expect((await events('state')).body).toMatchObject([{ state: 'closed' }, { state: 'reopened' }]);
  });

  it('wrote them as notes in old versions', async () => {
    const old = await startTrial({ eventsAsNotes: true });
    try {
      old.simulator.openIssue({ project, author: 'reporter', title: 'x' });
      await old.api().Issues.edit(project, 1, { addLabels: 'a', stateEvent: 'close' });
      const bodies = old.simulator.thread(project, '#1').notes.map(({ body }) => body);
      expect(bodies).toEqual([expect.stringMatching(/^added ~\d+ label$/), 'closed']);
    } finally {
      await old.close();
    }
  });

  it('tells in system notes of assignees, titles, descriptions, confidentiality and locks', async () => {
    open('x', [], ['agent']);
    await trial.api('maintainer-token').Issues.edit(project, 1, {
      assigneeIds: [Number(trial.userIds.reporter)],
      title: 'y',
      description: 'z',
      confidential: true,
      discussionLocked: true,
    });
    const notes = await trial.api().IssueNotes.all(project, 1, { sort: 'asc' });
    expect(notes.every(({ system }) => system)).toBe(true);
    expect(notes.map(({ body }) => body)).toEqual([
      'assigned to @agent',
      'changed title from **{-x-}** to **{+y+}**',
      'changed the description',
      'made the issue confidential',
      'locked the discussion in this issue',
      'assigned to @reporter and unassigned @agent',
    ]);
    expect(notes.at(-1)?.author.username).toBe('maintainer');
  });

  it('keeps one assignee on the free tier, several on the premium one', async () => {
    const ids = [Number(trial.userIds.agent), Number(trial.userIds.reporter)];
    const names = async (of: Trial) => {
      of.simulator.openIssue({ project, author: 'reporter', title: 'x' });
      await of.api().Issues.edit(project, 1, { assigneeIds: ids });
      return of.simulator.thread(project, '#1').assignees;
    };
    expect(await names(trial)).toEqual(['agent']);
    const premium = await startTrial({ tier: 'premium' });
    try {
      expect(await names(premium)).toEqual(['agent', 'reporter']);
    } finally {
      await premium.close();
    }
    expect(() => trial.simulator.assign(project, '#1', ['agent', 'guest'])).toThrow('premium');
  });

  it('lets guests create and edit their own, drops the labels they set, and forbids the rest', async () => {
    const guest = trial.api('guest-token');
    open('not theirs');
    const own = await guest.Issues.create(project, 'theirs', { labels: 'a' });
    expect(own.labels).toEqual(['a']);
    const edited = await guest.Issues.edit(project, own.iid, { title: 'still theirs', addLabels: 'b' });
    expect(edited).toMatchObject({ title: 'still theirs', labels: ['a'] });
    expect(await refusal(guest.Issues.edit(project, 1, { stateEvent: 'close' }))).toEqual({
      status: 403,
      message: '403 Forbidden',
    });
  });

  it('closes and reopens with state_event, and wants at least one field', async () => {
    open('x');
    const closed = await trial.api().Issues.edit(project, 1, { stateEvent: 'close' });
    expect(closed).toMatchObject({ state: 'closed', closed_by: { username: 'agent' } });
    expect(await trial.api().Issues.edit(project, 1, { stateEvent: 'reopen' })).toMatchObject({
      state: 'opened',
      closed_at: null,
    });
    const nothing = await trial.rest(`${projectApi}/issues/1`, { method: 'PUT', body: {} });
    expect(nothing.body.error).toContain('at least one parameter must be provided');
    const wrong = await trial.rest(`${projectApi}/issues/1`, {
      method: 'PUT',
      body: { state_event: 'closed' },
    });
    expect(wrong.body).toEqual({ error: 'state_event does not have a valid value' });
  });

  it('is deleted by owners only, and gone then', async () => {
    open('x');
    expect((await refusal(trial.api('maintainer-token').Issues.remove(project, 1))).status).toBe(403);
    await trial.api('owner-token').Issues.remove(project, 1);
    expect(await refusal(trial.api().Issues.show(1, { projectId: project }))).toEqual({
      status: 404,
      message: '404 Not found',
    });
  });

  it('can be switched off', async () => {
    await trial.simulator.addProject({
      path: 'group/code',
      issuesEnabled: false,
      members: { agent: 'developer' },
    });
    expect((await refusal(trial.api().Issues.create('group/code', 'x'))).status).toBe(403);
    expect(await trial.api().Issues.all({ projectId: 'group/code' })).toEqual([]);
  });
});
