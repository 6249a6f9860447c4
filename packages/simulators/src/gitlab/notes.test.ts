import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openChange, project, projectApi, refusal, startTrial, type Trial } from './trial.ts';

let trial: Trial;
const second = 1000;
const minute = 60 * second;

beforeEach(async () => {
  trial = await startTrial();
  trial.simulator.openIssue({ project, author: 'reporter', title: 'Talk' });
});

afterEach(() => trial.close());

const say = (body: string, more: object = {}) =>
  trial.simulator.note({ project, reference: '#1', author: 'reporter', body, ...more });
const bodies = async (query: object = {}, token?: string) =>
  (await trial.api(token).IssueNotes.all(project, 1, query)).map(({ body }) => body);
const updated = () => trial.simulator.thread(project, '#1').updatedAt;

describe('notes of the simulated GitLab', () => {
  it('are listed newest first unless asked otherwise, also by their last change', async () => {
    const first = say('first');
    trial.pass(second);
    say('second');
    expect(await bodies()).toEqual(['second', 'first']);
    expect(await bodies({ sort: 'asc' })).toEqual(['first', 'second']);
    trial.pass(second);
    trial.simulator.editNote(project, first.id, 'first, edited');
    expect(await bodies({ orderBy: 'updated_at' })).toEqual(['first, edited', 'second']);
    expect(await bodies({ orderBy: 'updated_at', sort: 'asc' })).toEqual(['second', 'first, edited']);
  });

  it('overlook a `since`, which GitLab does not have, and refuse a wrong order', async () => {
    say('old');
    trial.pass(minute);
    const path = `${projectApi}/issues/1/notes`;
    expect((await trial.rest(`${path}?since=2024-05-01T00:00:30Z`)).body).toHaveLength(1);
    expect((await trial.rest(`${path}?order_by=id`)).body).toEqual({
      error: 'order_by does not have a valid value',
    });
  });

  it('have no ETag', async () => {
    say('x');
    const { headers } = await trial.rest(`${projectApi}/issues/1/notes`);
    expect(headers.get('etag')).toBeNull();
    const again = await trial.rest(`${projectApi}/issues/1/notes`, { headers: { 'if-none-match': '*' } });
    expect(again.status).toBe(200);
  });

  it('stand among system notes, which a filter can leave out', async () => {
    say('mine');
    trial.simulator.assign(project, '#1', ['agent']);
    expect(await bodies({ sort: 'asc' })).toEqual(['mine', 'assigned to @agent']);
    expect(await bodies({ activityFilter: 'only_comments' })).toEqual(['mine']);
    expect(await bodies({ activityFilter: 'only_activity' })).toEqual(['assigned to @agent']);
  });

  it('are written, shown, edited and deleted by their author', async () => {
    const { IssueNotes } = trial.api();
    const note = await IssueNotes.create(project, 1, 'Hello');
    expect(note).toMatchObject({
      body: 'Hello',
      system: false,
      internal: false,
      noteable_type: 'Issue',
      noteable_iid: 1,
      project_id: trial.projectId,
      author: { username: 'agent', id: trial.userIds.agent },
      created_at: '2024-05-01T00:00:00.000Z',
    });
    trial.pass(second);
    const edited = await IssueNotes.edit(project, 1, note.id, { body: 'Hello, you' });
    expect(edited).toMatchObject({ body: 'Hello, you', updated_at: '2024-05-01T00:00:01.000Z' });
    expect(edited.created_at).toBe(note.created_at);
    expect(await IssueNotes.show(project, 1, note.id)).toEqual(edited);
    await IssueNotes.remove(project, 1, note.id);
    expect(await refusal(IssueNotes.show(project, 1, note.id))).toEqual({
      status: 404,
      message: '404 Not found',
    });
  });

  it('stand on merge requests alike', async () => {
    await openChange(trial, 'x');
    const note = await trial.api().MergeRequestNotes.create(project, 1, 'On it');
    expect(note).toMatchObject({ noteable_type: 'MergeRequest', noteable_iid: 1 });
    expect(trial.simulator.thread(project, '!1').notes).toMatchObject([{ body: 'On it' }]);
    expect(trial.simulator.thread(project, '#1').notes).toEqual([]);
    expect((await refusal(trial.api().IssueNotes.show(project, 1, note.id))).status).toBe(404);
  });

  it('are edited by others only from maintainer on, and system notes by nobody', async () => {
    const { id } = say('hers');
    const edit = (token: string, note: number) =>
      trial.api(token).IssueNotes.edit(project, 1, note, { body: 'changed' });
    expect((await refusal(edit('agent-token', id))).status).toBe(403);
    expect((await edit('maintainer-token', id)).body).toBe('changed');
    const system = say('assigned to nobody', { author: 'agent', system: true });
    expect((await refusal(edit('agent-token', system.id))).status).toBe(403);
    expect((await refusal(trial.api('owner-token').IssueNotes.remove(project, 1, system.id))).status).toBe(
      403,
    );
  });

  it('are internal for reporters and above, and taken out of the others’ pages after these were cut', async () => {
    say('one');
    say('inside', { internal: true });
    say('two');
    expect(await bodies({ sort: 'asc' })).toEqual(['one', 'inside', 'two']);
    expect(await bodies({ sort: 'asc' }, 'guest-token')).toEqual(['one', 'two']);
    const page = await trial.rest(`${projectApi}/issues/1/notes?sort=asc&per_page=2`, {
      token: 'guest-token',
    });
    expect(page.body.map(({ body }: { body: string }) => body)).toEqual(['one']);
    expect(page.headers.get('x-next-page')).toBe('2');
    expect(page.headers.get('x-total')).toBe('3');
    const inside = trial.simulator.thread(project, '#1').notes.find(({ internal }) => internal);
    expect(await refusal(trial.api('guest-token').IssueNotes.show(project, 1, Number(inside?.id)))).toEqual({
      status: 404,
      message: '404 Note Not Found',
    });
  });

  it('become internal by reporters only; a guest’s is public without a word', async () => {
    const write = (token: string) => trial.api(token).IssueNotes.create(project, 1, 'x', { internal: true });
    expect(await write('reporter-token')).toMatchObject({ internal: true, confidential: true });
    expect(await write('guest-token')).toMatchObject({ internal: false });
    expect(() => say('x', { author: 'guest', internal: true })).toThrow('setAccess');
  });

  it('refuse an empty body, a missing one, and one of more than a million characters', async () => {
    const write = (body: unknown) =>
      trial.rest(`${projectApi}/issues/1/notes`, { method: 'POST', body: { body } });
    expect(await write(' \n')).toMatchObject({
      status: 400,
      body: { message: `400 Bad request - Note {:note=>["can't be blank"]}` },
    });
    expect((await write(undefined)).body).toEqual({ error: 'body is missing' });
    expect((await write(7)).body).toEqual({ error: 'body is invalid' });
    expect((await write('x'.repeat(1_000_001))).body.message).toContain('maximum is 1000000 characters');
    expect((await write('x'.repeat(1_000_000))).status).toBe(201);
    const { id } = say('kept');
    const emptied = await trial.rest(`${projectApi}/issues/1/notes/${id}`, {
      method: 'PUT',
      token: 'reporter-token',
      body: { body: '' },
    });
    expect(emptied.body).toEqual({ error: 'body is empty' });
  });

  it('are for members only where the discussion is locked', async () => {
    await trial.simulator.addProject({
      path: 'group/open',
      visibility: 'public',
      members: { agent: 'developer' },
    });
    trial.simulator.openIssue({ project: 'group/open', author: 'agent', title: 'x' });
    const write = (token: string) => trial.api(token).IssueNotes.create('group/open', 1, 'x');
    expect((await write('stranger-token')).body).toBe('x');
    await trial.api().Issues.edit('group/open', 1, { discussionLocked: true });
    expect((await refusal(write('stranger-token'))).status).toBe(403);
    expect((await write('agent-token')).body).toBe('x');
  });

  it('move the update time of their thread at most once a minute', async () => {
    trial.pass(30 * second);
    say('within the minute');
    expect(updated()).toBe('2024-05-01T00:00:00.000Z');
    trial.pass(31 * second);
    say('after it');
    expect(updated()).toBe('2024-05-01T00:01:01.000Z');
  });

  it('keep every character: emoji, right-to-left marks, Windows line ends', async () => {
    const body = '👩‍💻 \u202Eabc\u202C\r\n日本語 ';
    await trial.api().IssueNotes.create(project, 1, body);
    expect(await bodies()).toEqual([body]);
  });

  it('are seeded by the thousand, and listed within a few seconds', async () => {
    for (let index = 0; index < 5000; index += 1) say(`note ${index}`);
    const began = performance.now();
    expect(await bodies({ perPage: 100, sort: 'asc' })).toHaveLength(5000);
    expect(performance.now() - began).toBeLessThan(5000);
  });
});
