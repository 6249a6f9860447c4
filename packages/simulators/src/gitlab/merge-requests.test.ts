import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openChange, project, projectApi, refusal, startTrial, type Trial } from './trial.ts';

let trial: Trial;

beforeEach(async () => {
  trial = await startTrial();
});

afterEach(() => trial.close());

const open = (sourceBranch: string, more: object = {}) => openChange(trial, sourceBranch, more);
const create = (source: string, target = 'main', more: object = {}, token = 'agent-token') =>
  trial.api(token).MergeRequests.create(project, source, target, 'Title', more);
const show = (iid = 1) => trial.api().MergeRequests.show(project, iid);

describe('merge requests of the simulated GitLab', () => {
  it('are opened between branches, with labels, and shown with what git knows', async () => {
    await open('seed');
    await trial.api().Branches.create(project, 'feature/x', 'seed');
    const opened = await create('feature/x', 'main', {
      labels: 'a',
      description: 'Why',
      removeSourceBranch: true,
    });
    expect(opened).toMatchObject({
      iid: 2,
      state: 'opened',
      draft: false,
      labels: ['a'],
      description: 'Why',
      source_branch: 'feature/x',
      target_branch: 'main',
      source_project_id: trial.projectId,
      target_project_id: trial.projectId,
      merge_status: 'can_be_merged',
      detailed_merge_status: 'mergeable',
      force_remove_source_branch: true,
      changes_count: '1',
      web_url: `${trial.simulator.url}/group/demo/-/merge_requests/2`,
      references: { full: 'group/demo!2' },
      user: { can_merge: false },
    });
    const tip = await trial.api().Branches.show(project, 'feature/x');
    expect(opened).toMatchObject({ sha: tip.commit.id, diff_refs: { head_sha: tip.commit.id } });
    expect(await trial.api('maintainer-token').MergeRequests.show(project, 2)).toMatchObject({
      user: { can_merge: true },
    });
  });

  it('are drafts by their title', async () => {
    await open('a', { draft: true });
    expect(await show()).toMatchObject({
      title: 'Draft: Change a',
      draft: true,
      work_in_progress: true,
      detailed_merge_status: 'draft_status',
    });
    const ready = await trial.api().MergeRequests.edit(project, 1, { title: 'Change a' });
    expect(ready.draft).toBe(false);
    for (const title of ['[Draft] x', '(draft) x', 'DRAFT: x']) {
      expect((await trial.api().MergeRequests.edit(project, 1, { title })).draft).toBe(true);
    }
    expect((await trial.api().MergeRequests.edit(project, 1, { title: 'Drafting x' })).draft).toBe(false);
    const notes = trial.simulator.thread(project, '!1').notes.map(({ body }) => body);
    expect(notes[0]).toBe('marked this merge request as **ready**');
    expect(notes).toContain('marked this merge request as **draft**');
  });

  it('are one at a time between two branches: 409 names the other', async () => {
    await open('a');
    expect(await refusal(create('a'))).toEqual({
      status: 409,
      message: '["Another open merge request already exists for this source branch: !1"]',
    });
    const twice = await Promise.allSettled([
      open('b', { files: undefined }),
      open('b', { files: undefined }),
    ]);
    expect(twice.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    trial.simulator.closeThread(project, '!1');
    await create('a');
    expect((await refusal(trial.api().MergeRequests.edit(project, 1, { stateEvent: 'reopen' }))).status).toBe(
      409,
    );
  });

  it('refuse the same branch with 422, missing fields with 400, and reporters with 403', async () => {
    expect(await refusal(create('main'))).toEqual({
      status: 422,
      message: `["You can't use same project/branch for source and target"]`,
    });
    const bare = await trial.rest(`${projectApi}/merge_requests`, { method: 'POST', body: { title: 'x' } });
    expect(bare).toMatchObject({
      status: 400,
      body: { error: 'source_branch is missing, target_branch is missing' },
    });
    await open('a');
    trial.simulator.closeThread(project, '!1');
    expect((await refusal(create('a', 'main', {}, 'reporter-token'))).status).toBe(403);
  });

  it('take a branch that does not exist, and cannot be merged then', async () => {
    expect(await create('nowhere')).toMatchObject({
      sha: null,
      diff_refs: null,
      has_conflicts: true,
      merge_status: 'cannot_be_merged',
    });
  });

  it('come from forks, and from no other project', async () => {
    await trial.simulator.addProject({ path: 'stranger/demo', forkOf: project });
    trial.simulator.setAccess(project, 'stranger', 'reporter');
    const opened = await open('fork', { author: 'stranger', sourceProject: 'stranger/demo' });
    expect(opened).toMatchObject({ iid: 1, reference: '!1' });
    const shown = await show();
    const fork = await trial.api('stranger-token').Projects.show('stranger/demo');
    expect(shown).toMatchObject({ source_project_id: fork.id, target_project_id: trial.projectId });
    const again = trial
      .api('stranger-token')
      .MergeRequests.create('stranger/demo', 'fork', 'main', 'x', { targetProjectId: trial.projectId });
    expect((await refusal(again)).status).toBe(409);
    await trial.simulator.addProject({ path: 'agent/other' });
    const foreign = trial
      .api()
      .MergeRequests.create('agent/other', 'main', 'main', 'x', { targetProjectId: trial.projectId });
    expect(await refusal(foreign)).toEqual({
      status: 422,
      message: '["Source project is not a fork of the target project"]',
    });
    trial.simulator.deleteProject('stranger/demo');
    expect((await show()).source_project_id).toBeNull();
  });

  it('are listed by state, branches, labels and draft', async () => {
    await open('a', { labels: ['x'] });
    trial.pass(1000);
    await open('b', { draft: true });
    const list = async (query: object) =>
      (await trial.api().MergeRequests.all({ projectId: project, ...query })).map(({ iid }) => iid);
    expect(await list({})).toEqual([2, 1]);
    expect(await list({ sourceBranch: 'a' })).toEqual([1]);
    expect(await list({ targetBranch: 'other' })).toEqual([]);
    expect(await list({ labels: 'x', state: 'opened' })).toEqual([1]);
    expect(await list({ wip: 'yes' })).toEqual([2]);
    expect((await trial.rest('/merge_requests')).body).toHaveLength(2);
    expect((await trial.rest('/merge_requests', { token: 'reporter-token' })).body).toEqual([]);
  });

  it('show what changes, file by file, and commit by commit', async () => {
    await open('a', { files: { 'README.md': '# Other\n', 'new.txt': 'new\n' } });
    const changes = await trial.api().MergeRequests.allDiffs(project, 1);
    expect(changes).toMatchObject([
      {
        new_path: 'README.md',
        old_path: 'README.md',
        new_file: false,
        diff: '@@ -1 +1 @@\n-# Demo\n+# Other\n',
      },
      { new_path: 'new.txt', new_file: true, a_mode: '0' },
    ]);
    const { body } = await trial.rest(`${projectApi}/merge_requests/1/changes`);
    expect(body.changes).toEqual(changes);
    expect(await trial.api().MergeRequests.allCommits(project, 1)).toMatchObject([
      { title: 'Change README.md, new.txt', author_name: 'agent' },
    ]);
  });

  it('say when they conflict', async () => {
    await open('a', { files: { 'README.md': 'one\n' } });
    await open('b', { files: { 'README.md': 'two\n' } });
    trial.simulator.closeThread(project, '!1', { merged: true });
    await open('c', { author: 'maintainer' });
    expect(await show(2)).toMatchObject({ has_conflicts: true, merge_status: 'cannot_be_merged' });
    expect((await refusal(trial.api('maintainer-token').MergeRequests.merge(project, 2))).status).toBe(422);
  });
});
