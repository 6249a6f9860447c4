import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openChange, project, projectApi, startTrial, type Trial } from './trial.ts';

let trial: Trial;
const day = 86_400_000;
beforeEach(async () => {
  trial = await startTrial();
});
afterEach(() => trial.close());

const self = (token: string) => trial.rest('/personal_access_tokens/self', { token });
const rotate = (token: string, path = projectApi, body: object = {}) =>
  trial.rest(`${path}/access_tokens/self/rotate`, { method: 'POST', token, body });
const reads = (token: string) => trial.git('ls-remote', trial.remote(token));

describe('tokens of the simulated GitLab', () => {
  it('end with the first moment of their day, for the API as for git', async () => {
    trial.simulator.addToken({ token: 'short', username: 'agent', expiresAt: '2024-05-03' });
    trial.pass(2 * day - 1);
    expect((await self('short')).body).toMatchObject({
      active: true,
      expires_at: '2024-05-03',
      scopes: ['api'],
    });
    await reads('short');
    trial.pass(1);
    const refused = await self('short');
    expect(refused.status).toBe(401);
    expect(refused.body).toMatchObject({ error: 'invalid_token' });
    await expect(reads('short')).rejects.toThrow('Access denied');
  });

  it('of a project belong to a bot of its own, which does what its role allows there', async () => {
    const { addAccessToken } = trial.simulator;
    const made = addAccessToken({ project, name: 'the agent', level: 'developer', expiresAt: '2024-06-01' });
    expect(made.username).toMatch(/^project_\d+_bot_[0-9a-f]{32}$/);
    expect((await self(made.token)).body).toMatchObject({ name: 'the agent', access_level: 30 });
    expect((await trial.rest('/user', { token: made.token })).body).toMatchObject({
      bot: true,
      username: made.username,
    });
    await openChange(trial, 'fix');
    const written = await trial.rest(`${projectApi}/merge_requests/1/notes`, {
      method: 'POST',
      token: made.token,
      body: { body: 'Hello' },
    });
    expect(written.body.author.username).toBe(made.username);
    await trial.simulator.addProject({ path: 'other/one' });
    expect((await trial.rest('/projects/other%2Fone', { token: made.token })).status).toBe(404);
  });

  it('of a group reach what is below it', async () => {
    const { token } = trial.simulator.addAccessToken({
      group: 'group',
      name: 'the agent',
      scopes: ['read_api'],
    });
    expect((await trial.rest(projectApi, { token })).status).toBe(200);
    expect((await rotate(token, '/groups/group')).status).toBe(403);
    expect((await rotate(token)).status).toBe(403);
  });

  it('rotate themselves: the old one is refused at once, the new one lives for a week', async () => {
    const { token, username } = trial.simulator.addAccessToken({
      project,
      name: 'x',
      scopes: ['self_rotate', 'read_repository'],
    });
    expect((await rotate(token, projectApi, { expires_at: '2024-04-30' })).status).toBe(400);
    expect((await rotate(token, '/groups/group')).status).toBe(405);
    const { status, body } = await rotate(token);
    expect(status).toBe(200);
    expect(body).toMatchObject({ expires_at: '2024-05-08', revoked: false, name: 'x' });
    expect((await self(token)).status).toBe(401);
    await expect(reads(token)).rejects.toThrow('Access denied');
    await reads(body.token);
    expect((await trial.rest('/user', { token: body.token })).status).toBe(403);
    const next = trial.simulator.rotateToken(body.token, '2024-05-20');
    expect(next).toMatchObject({ username, expiresAt: '2024-05-20' });
  });

  it('that are rotated once more after they were revoked take their successors with them', async () => {
    const { token } = trial.simulator.addAccessToken({ project, name: 'x' });
    const { body } = await rotate(token);
    expect((await self(body.token)).status).toBe(200);
    expect((await rotate(token)).status).toBe(401);
    expect((await self(body.token)).status).toBe(401);
  });

  it('give themselves up', async () => {
    expect((await trial.rest('/personal_access_tokens/self', { method: 'DELETE' })).status).toBe(204);
    expect((await self('agent-token')).body).toMatchObject({
      error_description: expect.stringContaining('revoked'),
    });
  });
});
