import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { repository, repositoryName, startTrial, type Trial } from './trial.ts';

let trial: Trial;
const secret = { owner: 'owner', repo: 'secret' } as const;

beforeEach(async () => {
  trial = await startTrial();
  await trial.simulator.addRepository({
    owner: 'owner',
    name: 'secret',
    private: true,
    collaborators: { agent: 'read' },
  });
});

afterEach(() => trial.close());

describe('who may do what on the simulated GitHub', () => {
  it('says who the token is', async () => {
    const { data } = await trial.octokit('agent-token').rest.users.getAuthenticated();
    expect(data).toMatchObject({ login: 'agent', type: 'User' });
    expect((await trial.octokit().rest.users.getByUsername({ username: 'AGENT' })).data.login).toBe('agent');
    await expect(trial.octokit().rest.users.getByUsername({ username: 'nobody' })).rejects.toMatchObject({
      status: 404,
    });
  });

  it('refuses a token that it does not know, even where none is needed', async () => {
    const refusal = { status: 401, response: { data: { message: 'Bad credentials', status: '401' } } };
    await expect(trial.octokit('wrong').rest.users.getAuthenticated()).rejects.toMatchObject(refusal);
    await expect(trial.octokit('wrong').rest.repos.get(repository)).rejects.toMatchObject(refusal);
    trial.simulator.revokeToken('agent-token');
    await expect(trial.octokit('agent-token').rest.repos.get(repository)).rejects.toMatchObject(refusal);
  });

  it('lets anybody read what is public, and asks for a token before anything is written', async () => {
    expect((await trial.octokit().rest.repos.get(repository)).data.permissions).toBeUndefined();
    const refusal = { status: 401, response: { data: { message: 'Requires authentication' } } };
    await expect(trial.octokit().rest.issues.create({ ...repository, title: 'x' })).rejects.toMatchObject(
      refusal,
    );
    await expect(trial.octokit().rest.users.getAuthenticated()).rejects.toMatchObject(refusal);
  });

  it('hides private repositories from those without access', async () => {
    const hidden = { status: 404, response: { data: { message: 'Not Found' } } };
    await expect(trial.octokit().rest.repos.get(secret)).rejects.toMatchObject(hidden);
    await expect(trial.octokit('stranger-token').rest.issues.listForRepo(secret)).rejects.toMatchObject(
      hidden,
    );
    expect((await trial.octokit('agent-token').rest.repos.get(secret)).data).toMatchObject({
      private: true,
      permissions: { pull: true, push: false, admin: false },
    });
  });

  it('refuses what the token lacks, and says in a header what it would take', async () => {
    trial.simulator.addToken({
      token: 'narrow',
      login: 'agent',
      permissions: { issues: 'read', contents: 'none', pull_requests: 'none' },
    });
    trial.simulator.openIssue({ repo: repositoryName, author: 'alice', title: 'x' });
    const { issues, repos, pulls } = trial.octokit('narrow').rest;
    expect((await issues.get({ ...repository, issue_number: 1 })).status).toBe(200);
    await expect(issues.createComment({ ...repository, issue_number: 1, body: 'x' })).rejects.toMatchObject({
      status: 403,
      message: expect.stringContaining('Resource not accessible by personal access token'),
      response: { headers: { 'x-accepted-github-permissions': 'issues=write; pull_requests=write' } },
    });
    await expect(repos.getContent({ ...repository, path: '' })).rejects.toMatchObject({ status: 403 });
    await expect(pulls.list(repository)).rejects.toMatchObject({ status: 403 });
    expect((await repos.get(repository)).status).toBe(200);
  });

  it("takes either permission for a pull request's conversation, but only that for issues on an issue", async () => {
    trial.simulator.addToken({ token: 'pulls-only', login: 'agent', permissions: { issues: 'none' } });
    trial.simulator.openIssue({ repo: repositoryName, author: 'alice', title: 'x' });
    await trial.simulator.openPullRequest({
      repo: repositoryName,
      author: 'agent',
      title: 'y',
      headBranch: 'y',
      files: { y: 'y' },
    });
    const { createComment } = trial.octokit('pulls-only').rest.issues;
    expect((await createComment({ ...repository, issue_number: 2, body: 'x' })).status).toBe(201);
    await expect(createComment({ ...repository, issue_number: 1, body: 'x' })).rejects.toMatchObject({
      status: 403,
    });
  });

  it('says what an account may do, in the old names and in the new', async () => {
    const { getCollaboratorPermissionLevel } = trial.octokit('agent-token').rest.repos;
    const permission = async (username: string) => {
      const { data } = await getCollaboratorPermissionLevel({ ...repository, username });
      return [data.permission, data.role_name];
    };
    expect(await permission('owner')).toEqual(['admin', 'admin']);
    expect(await permission('agent')).toEqual(['write', 'write']);
    expect(await permission('alice')).toEqual(['read', 'triage']);
    expect(await permission('stranger')).toEqual(['read', 'read']);
    await expect(permission('nobody')).rejects.toMatchObject({
      status: 404,
      message: expect.stringContaining('nobody is not a user'),
    });
  });

  it('says on a private repository that strangers may nothing', async () => {
    const { getCollaboratorPermissionLevel } = trial.octokit('owner-token').rest.repos;
    const { data } = await getCollaboratorPermissionLevel({ ...secret, username: 'stranger' });
    expect(data).toMatchObject({ permission: 'none', user: { login: 'stranger' } });
  });

  it('tells permissions only to those who may push', async () => {
    await expect(
      trial
        .octokit('stranger-token')
        .rest.repos.getCollaboratorPermissionLevel({ ...repository, username: 'owner' }),
    ).rejects.toMatchObject({
      status: 403,
      message: expect.stringContaining('Must have push access to view collaborator permission.'),
    });
  });

  it('lists and checks collaborators', async () => {
    const { repos } = trial.octokit('agent-token').rest;
    const { data } = await repos.listCollaborators(repository);
    expect(data.map(({ login, role_name }) => [login, role_name])).toEqual([
      ['owner', 'admin'],
      ['agent', 'write'],
      ['alice', 'triage'],
    ]);
    expect((await repos.checkCollaborator({ ...repository, username: 'alice' })).status).toBe(204);
    await expect(repos.checkCollaborator({ ...repository, username: 'stranger' })).rejects.toMatchObject({
      status: 404,
    });
  });

  it('answers below /api/v3 as an Enterprise server does, with addresses of that form', async () => {
    const { simulator } = trial;
    const response = await fetch(`${simulator.url}/api/v3/repos/OWNER/Demo`, {
      headers: { authorization: 'token agent-token' },
    });
    expect(await response.json()).toMatchObject({
      full_name: 'owner/demo',
      url: `${simulator.url}/api/v3/repos/owner/demo`,
      clone_url: `${simulator.url}/owner/demo.git`,
    });
  });

  it('refuses a request without a User-Agent, and does not know addresses that GitHub does not have', async () => {
    const { url } = trial.simulator;
    const response = await fetch(`${url}/repos/owner/demo`, { headers: { 'user-agent': '' } });
    expect(response.status).toBe(403);
    const unknown = await fetch(`${url}/no/such/address`);
    expect([unknown.status, await unknown.json()]).toMatchObject([404, { message: 'Not Found' }]);
  });
});
