import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openChange, project, projectApi, refusal, startTrial, type Trial } from './trial.ts';

let trial: Trial;

beforeEach(async () => {
  trial = await startTrial();
});

afterEach(() => trial.close());

const open = (sourceBranch: string, more: object = {}) => openChange(trial, sourceBranch, more);
const show = (iid = 1) => trial.api().MergeRequests.show(project, iid);

describe('the life of merge requests of the simulated GitLab', () => {
  it('are merged by those who may push to the target', async () => {
    await open('a', { draft: true });
    const merge = (token: string) => trial.api(token).MergeRequests.merge(project, 1);
    expect((await refusal(merge('agent-token'))).status).toBe(401);
    expect((await refusal(merge('maintainer-token'))).status).toBe(405);
    await trial.api().MergeRequests.edit(project, 1, { title: 'Ready' });
    const wrong = trial.api('maintainer-token').MergeRequests.merge(project, 1, { sha: '0'.repeat(40) });
    expect((await refusal(wrong)).status).toBe(409);
    expect(await merge('maintainer-token')).toMatchObject({
      state: 'merged',
      merged_by: { username: 'maintainer' },
      merged_at: '2024-05-01T00:00:00.000Z',
      detailed_merge_status: 'not_open',
    });
    expect((await trial.api().RepositoryFiles.show(project, 'a.txt', 'main')).size).toBe(2);
    const reopened = await trial.api().MergeRequests.edit(project, 1, { stateEvent: 'reopen' });
    expect(reopened.state).toBe('merged');
  });

  it('move to another target that exists, with a note of it', async () => {
    await trial.api().Branches.create(project, 'release', 'main');
    await open('a');
    const retarget = (targetBranch: string) => trial.api().MergeRequests.edit(project, 1, { targetBranch });
    expect((await retarget('release')).target_branch).toBe('release');
    expect(trial.simulator.thread(project, '!1').notes.at(-1)?.body).toBe(
      'changed target branch from `main` to `release`',
    );
    expect((await refusal(retarget('nowhere'))).status).toBe(400);
  });

  it('are edited by their author and by developers, and deleted by owners', async () => {
    await open('a', { author: 'maintainer' });
    expect((await trial.api().MergeRequests.edit(project, 1, { addLabels: 'x' })).labels).toEqual(['x']);
    expect(
      (await refusal(trial.api('reporter-token').MergeRequests.edit(project, 1, { title: 'y' }))).status,
    ).toBe(403);
    const nothing = await trial.rest(`${projectApi}/merge_requests/1`, { method: 'PUT', body: {} });
    expect(nothing.status).toBe(400);
    await trial.api('owner-token').MergeRequests.remove(project, 1);
    expect((await refusal(show())).status).toBe(404);
  });
});
