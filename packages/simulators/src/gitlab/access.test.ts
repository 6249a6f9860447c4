import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { project, projectApi, refusal, startTrial, type Trial } from './trial.ts';

let trial: Trial;

beforeEach(async () => {
  trial = await startTrial();
});

afterEach(() => trial.close());

describe('who may ask the simulated GitLab', () => {
  it('knows a token in PRIVATE-TOKEN, as Bearer, and in the query', async () => {
    expect(await trial.api().Users.showCurrentUser()).toMatchObject({ username: 'agent', bot: false });
    const bearer = { authorization: 'Bearer agent-token' };
    expect((await trial.rest('/user', { token: null, headers: bearer })).body.username).toBe('agent');
    expect((await trial.rest('/user?private_token=agent-token', { token: null })).body.username).toBe(
      'agent',
    );
    expect(trial.simulator.requests.map(({ login }) => login)).toEqual(['agent', 'agent', 'agent']);
  });

  it('answers 401 without a token, with an unknown one, and with one that was taken back', async () => {
    const unauthorized = { status: 401, body: { message: '401 Unauthorized' } };
    expect(await trial.rest('/user', { token: null })).toMatchObject(unauthorized);
    expect(await trial.rest('/user', { token: 'wrong' })).toMatchObject(unauthorized);
    trial.simulator.revokeToken('agent-token', 'revoked');
    expect(await trial.rest('/user')).toMatchObject({
      status: 401,
      body: { error: 'invalid_token', error_description: expect.stringContaining('revoked') },
    });
    trial.simulator.revokeToken('guest-token', 'expired');
    expect((await trial.rest('/user', { token: 'guest-token' })).body.error_description).toContain('expired');
    trial.simulator.revokeToken('reporter-token');
    expect(await trial.rest('/user', { token: 'reporter-token' })).toMatchObject(unauthorized);
  });

  it('refuses with 403 what the scopes of a token do not reach', async () => {
    trial.simulator.addToken({ token: 'reads', username: 'agent', scopes: ['read_api'] });
    trial.simulator.addToken({ token: 'knows', username: 'agent', scopes: ['read_user'] });
    expect((await trial.rest(projectApi, { token: 'reads' })).status).toBe(200);
    expect((await trial.rest('/user', { token: 'knows' })).status).toBe(200);
    const insufficient = { status: 403, body: { error: 'insufficient_scope' } };
    const issue = { method: 'POST', token: 'reads', body: { title: 'x' } };
    expect(await trial.rest(`${projectApi}/issues`, issue)).toMatchObject(insufficient);
    expect(await trial.rest(projectApi, { token: 'knows' })).toMatchObject(insufficient);
  });

  it('hides private projects from strangers behind 404, internal ones from nobody with an account', async () => {
    const hidden = { status: 404, body: { message: '404 Project Not Found' } };
    expect(await trial.rest(projectApi, { token: 'stranger-token' })).toMatchObject(hidden);
    expect(await trial.rest(projectApi, { token: null })).toMatchObject(hidden);
    expect(await trial.rest('/projects/group%2Fnone')).toMatchObject(hidden);
    await trial.simulator.addProject({ path: 'group/inside', visibility: 'internal' });
    await trial.simulator.addProject({ path: 'group/open', visibility: 'public' });
    expect((await trial.rest('/projects/group%2Finside', { token: 'stranger-token' })).status).toBe(200);
    expect((await trial.rest('/projects/group%2Finside', { token: null })).status).toBe(404);
    expect((await trial.rest('/projects/group%2Fopen', { token: null })).status).toBe(200);
    // Notes want an account even where everybody may read.
    trial.simulator.openIssue({ project: 'group/open', author: 'stranger', title: 'x' });
    expect((await trial.rest('/projects/group%2Fopen/issues/1', { token: null })).status).toBe(200);
    expect((await trial.rest('/projects/group%2Fopen/issues/1/notes', { token: null })).status).toBe(401);
  });

  it('keeps the code of a private project from guests', async () => {
    const asGuest = { token: 'guest-token' };
    expect(await trial.rest(`${projectApi}/repository/tree`, asGuest)).toMatchObject({
      status: 403,
      body: { message: '403 Forbidden' },
    });
    expect((await trial.rest(`${projectApi}/merge_requests`, asGuest)).status).toBe(403);
    expect((await trial.rest(`${projectApi}/issues`, asGuest)).status).toBe(200);
  });

  it('answers unknown addresses with an error of its own', async () => {
    expect(await trial.rest(`${projectApi}/nothing`)).toMatchObject({
      status: 404,
      body: { error: '404 Not Found' },
    });
    expect((await fetch(`${trial.simulator.url}/elsewhere`)).status).toBe(404);
  });

  it('leads readers of a moved project to its id, and refuses writers with 405', async () => {
    trial.simulator.openIssue({ project, author: 'agent', title: 'Moves too' });
    trial.simulator.moveProject(project, 'group/renamed');
    const moved = await trial.rest(`${projectApi}/issues/1?x=y`);
    expect(moved.status).toBe(302);
    expect(moved.headers.get('location')).toBe(
      `${trial.simulator.url}/api/v4/projects/${trial.projectId}/issues/1?x=y`,
    );
    expect(await trial.api().Projects.show(project)).toMatchObject({ path_with_namespace: 'group/renamed' });
    expect(await refusal(trial.api().IssueNotes.create(project, 1, 'hello'))).toEqual({
      status: 405,
      message: 'Non GET methods are not allowed for moved projects',
    });
    expect((await trial.api().IssueNotes.create(trial.projectId, 1, 'hello')).body).toBe('hello');
    await trial.simulator.addProject({ path: project, members: { agent: 'developer' } });
    expect((await trial.api().Projects.show(project)).id).not.toBe(trial.projectId);
  });

  it('finds people by their username, and tells nobody without a token of all of them', async () => {
    const found = await trial.api().Users.all({ username: 'AGENT' });
    expect(found).toMatchObject([{ username: 'agent', id: trial.userIds.agent, state: 'active' }]);
    expect(await trial.api().Users.all({ username: 'nobody' })).toEqual([]);
    expect((await trial.rest('/users', { token: null })).status).toBe(403);
    expect((await trial.rest('/users?username=agent', { token: null })).body).toHaveLength(1);
  });

  it("makes a deleted account's doings the ghost's", async () => {
    trial.simulator.openIssue({ project, author: 'reporter', title: 'x' });
    trial.simulator.note({ project, reference: '#1', author: 'reporter', body: 'Still here' });
    trial.simulator.deleteUser('reporter');
    expect((await trial.api().Issues.show(1, { projectId: project })).author.username).toBe('ghost');
    expect(await trial.api().IssueNotes.all(project, 1)).toMatchObject([
      { body: 'Still here', author: { username: 'ghost' } },
    ]);
    expect((await trial.rest('/user', { token: 'reporter-token' })).status).toBe(401);
  });

  it('can be installed below a folder of its address', async () => {
    const inside = await startTrial({ relativeUrlRoot: '/gitlab/' });
    try {
      expect(inside.simulator.url).toMatch(/\/gitlab$/);
      const { web_url: page, http_url_to_repo: remote } = await inside.api().Projects.show(project);
      expect(page).toBe(`${inside.simulator.url}/${project}`);
      expect(remote).toBe(`${inside.simulator.url}/${project}.git`);
      expect(await inside.git('ls-remote', inside.remote('agent-token'))).toContain('refs/heads/main');
      expect((await fetch(inside.simulator.url.replace('/gitlab', '/api/v4/version'))).status).toBe(404);
    } finally {
      await inside.close();
    }
  });
});
