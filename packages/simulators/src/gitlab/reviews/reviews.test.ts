import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openChange, project, projectApi, refusal, startTrial, type Trial } from '../trial.ts';

let trial: Trial;
const mr = `${projectApi}/merge_requests/1`;
const text = (lines: readonly string[]) => `${lines.join('\n')}\n`;
const before = ['one', 'two', 'three', 'four', 'five'];

beforeEach(async () => {
  trial = await startTrial();
  await trial.simulator.push({ project, branch: 'main', author: 'owner', files: { list: text(before) } });
  await openChange(trial, 'fix', { files: { list: text(['zero', ...before.slice(1)]) } });
});
afterEach(() => trial.close());

const push = (lines: readonly string[], branch = 'fix') =>
  trial.simulator.push({ project, branch, author: 'owner', files: { list: text(lines) } });
const refs = async () => (await trial.rest(mr)).body.diff_refs;
const open = async (place: object, token = 'reporter-token') => {
  const paths = { old_path: 'list', new_path: 'list', position_type: 'text' };
  const position = { ...(await refs()), ...paths, ...place };
  return trial.rest(`${mr}/discussions`, { method: 'POST', token, body: { body: 'Why?', position } });
};
const discussions = async () => (await trial.rest(`${mr}/discussions`)).body;
const threads = () => trial.simulator.reviews.threads(project, '!1');

describe('threads on lines of a merge request', () => {
  it('are opened where the diff has such a line, an unchanged one by both numbers', async () => {
    const { status, body } = await open({ new_line: 1 });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f]{40}$/),
      individual_note: false,
      notes: [
        {
          type: 'DiffNote',
          resolvable: true,
          resolved: false,
          position: { ...(await refs()), new_path: 'list', old_line: null, new_line: 1 },
        },
      ],
    });
    const { start } = body.notes[0].position.line_range;
    expect(start).toMatchObject({ type: 'new', line_code: expect.stringMatching(/^[0-9a-f]{40}_\d+_1$/) });
    expect((await open({ old_line: 1 })).body.notes[0].position).toMatchObject({
      old_line: 1,
      new_line: null,
    });
    expect((await open({ old_line: 3, new_line: 3 })).status).toBe(201);
    const several = { new_line: 3, old_line: 3, line_range: { start: { new_line: 2, old_line: 2 } } };
    expect((await open(several)).body.notes[0].position.line_range.start).toMatchObject({ new_line: 2 });
    for (const wrong of [
      { new_line: 3 },
      { new_line: 9 },
      { new_line: 1, new_path: 'other' },
      { new_line: 1, head_sha: 'x' },
    ]) {
      const refused = await open(wrong);
      expect(refused.status).toBe(400);
      expect(refused.body.message).toContain('must be a valid line code');
    }
  });

  it('follow their lines from version to version, and are outdated for good once these were changed', async () => {
    const id = await trial.simulator.reviews.comment({
      project,
      reference: '!1',
      author: 'reporter',
      body: 'Why?',
      path: 'list',
      line: 1,
    });
    const [{ updated_at: at }] = (await discussions())[0].notes;
    trial.pass(60_000);
    await push(['first', 'zero', ...before.slice(1)]);
    expect(threads()).toMatchObject([{ line: 2, isOutdated: false, notes: [{ id }] }]);
    const [moved] = (await discussions())[0].notes;
    expect(moved).toMatchObject({ updated_at: at, position: { ...(await refs()), new_line: 2 } });
    await push(['first', 'nought', ...before.slice(1)]);
    expect(threads()).toMatchObject([{ line: null, isOutdated: true }]);
    const [kept, own] = (await discussions())[0].notes;
    expect(kept.position).toEqual(moved.position);
    expect(own).toMatchObject({ system: true, resolvable: false, type: 'DiffNote' });
    await push(['first', 'zero', ...before.slice(1)]);
    expect(threads()).toMatchObject([{ isOutdated: true }]);
    expect((await trial.rest(`${mr}/versions`)).body).toHaveLength(4);
  });

  it('keep their place where the target moves, and on lines that were as before again', async () => {
    await open({ new_line: 1 });
    await open({ old_line: 3, new_line: 3 });
    await push([...before, 'six'], 'main');
    expect(threads().map(({ line }) => line)).toEqual([1, 3]);
    await push(before);
    expect(threads()).toMatchObject([{ isOutdated: true }, { isOutdated: false, line: 3 }]);
  });

  it('are answered, edited and settled by who may, without their times moving', async () => {
    const { id } = (await open({ new_line: 1 })).body;
    const { MergeRequestDiscussions } = trial.api();
    trial.pass(1_000);
    const answer = await MergeRequestDiscussions.addNote(project, 1, id, 'Because.');
    expect(answer).toMatchObject({ type: 'DiffNote', position: { new_line: 1 } });
    const blocked = async () => (await trial.rest(mr)).body.blocking_discussions_resolved === false;
    expect(await blocked()).toBe(true);
    trial.pass(1_000);
    const resolved = await MergeRequestDiscussions.resolve(project, 1, id, true);
    expect(resolved.notes).toMatchObject([
      { resolved: true, resolved_by: { username: 'agent' }, updated_at: '2024-05-01T00:00:00.000Z' },
      { resolved: true, updated_at: '2024-05-01T00:00:01.000Z' },
    ]);
    expect(await blocked()).toBe(false);
    const opened = trial.api('reporter-token').MergeRequestDiscussions.resolve(project, 1, id, false);
    expect((await refusal(opened)).status).toBe(403);
    await MergeRequestDiscussions.resolve(project, 1, id, false);
    expect(await blocked()).toBe(true);
    await MergeRequestDiscussions.editNote(project, 1, id, answer.id, { body: 'So.' });
    const foreign = trial
      .api('reporter-token')
      .MergeRequestDiscussions.editNote(project, 1, id, answer.id, { body: 'x' });
    expect((await refusal(foreign)).status).toBe(403);
    await MergeRequestDiscussions.removeNote(project, 1, id, answer.id);
    expect((await MergeRequestDiscussions.show(project, 1, id)).notes).toHaveLength(1);
    expect((await refusal(MergeRequestDiscussions.show(project, 1, 'x'))).status).toBe(404);
  });

  it('stand among the notes, and a single note becomes a thread by its first answer', async () => {
    await open({ new_line: 1 });
    trial.simulator.note({ project, reference: '!1', author: 'reporter', body: 'Hello' });
    const notes = (await trial.rest(`${mr}/notes?sort=asc`)).body;
    expect(notes.map((note: { type: string }) => note.type)).toEqual(['DiffNote', null]);
    const single = (await discussions()).at(-1);
    expect(single).toMatchObject({ individual_note: true, notes: [{ resolvable: false }] });
    await trial.api().MergeRequestDiscussions.addNote(project, 1, single.id, 'Hello yourself');
    expect((await discussions()).at(-1)).toMatchObject({
      individual_note: false,
      notes: [{ type: 'DiscussionNote', resolvable: true }, { type: 'DiscussionNote' }],
    });
    expect((await trial.rest(`${mr}/discussions?per_page=1`)).headers.get('x-total')).toBe('2');
  });

  it('carry out quick actions, as all notes do, and exist on issues, where nobody settles them', async () => {
    const { id } = (await open({ new_line: 1 })).body;
    const { MergeRequestDiscussions, IssueDiscussions } = trial.api();
    await MergeRequestDiscussions.addNote(project, 1, id, 'Done.\n/close');
    expect((await trial.rest(mr)).body).toMatchObject({ state: 'closed' });
    expect(threads()[0]?.notes.map(({ body }) => body)).toEqual(['Why?', 'Done.']);
    const only = await trial.rest(`${mr}/discussions/${id}/notes`, {
      method: 'POST',
      body: { body: '/reopen' },
    });
    expect(only.status).toBe(202);
    trial.simulator.openIssue({ project, author: 'reporter', title: 'An issue' });
    const opened = await IssueDiscussions.create(project, 1, 'Hello');
    expect(opened.notes).toMatchObject([{ type: 'DiscussionNote', resolvable: false }]);
    const path = `${projectApi}/issues/1/discussions/${opened.id}?resolved=true`;
    expect((await trial.rest(path, { method: 'PUT' })).status).toBe(404);
    expect(
      (await trial.rest(`${projectApi}/issues/1/discussions`, { token: 'guest-token' })).body,
    ).toHaveLength(1);
  });

  it('do not show whom they are not for', async () => {
    const internal = {
      project,
      reference: '!1',
      author: 'reporter',
      body: 'Secret',
      internal: true,
    } as const;
    trial.simulator.note(internal);
    trial.simulator.addUser({ username: 'visitor' });
    trial.simulator.addToken({ token: 'visitor-token', username: 'visitor' });
    expect(await discussions()).toHaveLength(1);
    const { status } = await trial.rest(`${mr}/discussions`, { token: 'visitor-token' });
    expect(status).toBe(404);
  });

  it('are told of with their place', async () => {
    await open({ new_line: 1 });
    const noteId = threads()[0]?.notes[0]?.id ?? 0;
    const happening = { project, event: 'note', noteId, action: 'create' } as const;
    const payload = JSON.parse(trial.simulator.composeDelivery(happening, 'x').body.toString());
    expect(payload.object_attributes).toMatchObject({
      type: 'DiffNote',
      discussion_id: threads()[0]?.id,
      position: { new_line: 1, new_path: 'list' },
    });
    expect(payload.merge_request).toMatchObject({
      iid: 1,
      source_branch: 'fix',
      last_commit: { id: (await refs()).head_sha },
    });
  });
});

describe('approvals', () => {
  const approvals = () => trial.api().MergeRequestApprovals;
  const reviewers = async () => (await trial.rest(`${mr}/reviewers`)).body;

  it('are given once, for the head that was looked at, and taken back', async () => {
    const { head_sha: sha } = await refs();
    const wrong = trial
      .api('maintainer-token')
      .MergeRequestApprovals.approve(project, 1, { sha: '0'.repeat(40) });
    expect((await refusal(wrong)).status).toBe(409);
    await trial.api('maintainer-token').MergeRequestApprovals.approve(project, 1, { sha });
    const shown = await approvals().showConfiguration(project, { mergerequestIId: 1 });
    expect(shown).toMatchObject({
      approved: true,
      approved_by: [{ user: { username: 'maintainer' }, approved_at: '2024-05-01T00:00:00.000Z' }],
    });
    expect(
      (await refusal(trial.api('maintainer-token').MergeRequestApprovals.approve(project, 1))).status,
    ).toBe(401);
    expect(
      (await refusal(trial.api('reporter-token').MergeRequestApprovals.approve(project, 1))).status,
    ).toBe(401);
    await trial.api('maintainer-token').MergeRequestApprovals.unapprove(project, 1);
    const said = trial.simulator.thread(project, '!1').notes.map(({ body }) => body);
    expect(said).toEqual(['approved this merge request', 'unapproved this merge request']);
  });

  it('and requested changes show as the states of reviewers', async () => {
    await trial.api().MergeRequests.edit(project, 1, { reviewerIds: [trial.userIds.maintainer ?? 0] });
    expect(await reviewers()).toMatchObject([{ user: { username: 'maintainer' }, state: 'unreviewed' }]);
    trial.simulator.reviews.requestChanges(project, '!1', 'maintainer');
    expect(await reviewers()).toMatchObject([{ state: 'requested_changes' }]);
    trial.simulator.note({ project, reference: '!1', author: 'maintainer', body: 'Not yet.' });
    const note = (body: string) =>
      trial.rest(`${mr}/notes`, { method: 'POST', token: 'maintainer-token', body: { body } });
    await note('/approve');
    expect(await reviewers()).toMatchObject([{ state: 'approved' }]);
    await note('/request_changes');
    expect(await reviewers()).toMatchObject([{ state: 'requested_changes' }]);
    expect((await note('/nothing_such')).status).toBe(201);
    const happening = {
      project,
      event: 'approval',
      reference: '!1',
      action: 'unapproval',
      by: 'maintainer',
    } as const;
    const { headers, body } = trial.simulator.composeDelivery(happening, 'x');
    expect(headers['x-gitlab-event']).toBe('Merge Request Hook');
    expect(JSON.parse(body.toString())).toMatchObject({
      user: { username: 'maintainer' },
      object_attributes: { action: 'unapproval', iid: 1 },
    });
  });
});
