import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { project, projectApi, refusal, startTrial, type Trial } from './trial.ts';

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

describe('issues of the simulated GitLab', () => {
  it('creates with labels that did not exist, and numbers them apart from merge requests', async () => {
    await trial.simulator.openMergeRequest({
      project,
      author: 'agent',
      title: 'x',
      sourceBranch: 'x',
      files: { x: 'x' },
    });
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
