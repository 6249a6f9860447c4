import { sign } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { repository, repositoryName, startTrial, type Trial } from '../trial.ts';
import type { SimulatedApp } from './app-controls.ts';

let trial: Trial;
let app: SimulatedApp;
let installation: number;
const minute = 60_000;
const start = Date.UTC(2024, 4, 1) / 1000;

beforeEach(async () => {
  trial = await startTrial();
  const { simulator } = trial;
  app = simulator.apps.register({
    owner: 'owner',
    name: 'My Agent',
    permissions: { issues: 'write', pull_requests: 'write', contents: 'write', checks: 'read' },
    events: ['issues', 'check_run'],
  });
  await simulator.addRepository({ owner: 'owner', name: 'other', private: true });
  installation = simulator.apps.install({ app: app.slug, account: 'owner' });
});
afterEach(() => trial.close());

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
function jwt(claims: object = {}, privateKey = app.privateKey): string {
  const text = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode({ iat: start - 60, exp: start + 540, iss: app.id, ...claims })}`;
  return `${text}.${sign('RSA-SHA256', Buffer.from(text), privateKey).toString('base64url')}`;
}
const asApp = (claims?: object) => trial.octokit(jwt(claims)).rest.apps;
const newToken = async (more: object = {}, claims?: object) =>
  (
    await asApp(claims).createInstallationAccessToken({
      installation_id: installation,
      ...more,
    })
  ).data;

describe('an app', () => {
  it('signs as itself and finds its installations', async () => {
    const { data } = await asApp().getAuthenticated();
    expect(data).toMatchObject({
      id: app.id,
      slug: 'my-agent',
      events: ['issues', 'check_run'],
      permissions: { metadata: 'read', checks: 'read' },
      installations_count: 1,
    });
    const { data: byClientId } = await asApp({ iss: app.clientId }).listInstallations();
    expect(byClientId).toMatchObject([{ id: installation, repository_selection: 'all', suspended_at: null }]);
    expect((await asApp().getRepoInstallation(repository)).data.id).toBe(installation);
    expect((await asApp().getUserInstallation({ username: 'Owner' })).data.id).toBe(installation);
    await expect(asApp().getUserInstallation({ username: 'alice' })).rejects.toMatchObject({ status: 404 });
    await expect(trial.octokit(jwt()).rest.issues.listForRepo(repository)).rejects.toMatchObject({
      status: 403,
      message: expect.stringContaining('Resource not accessible by integration'),
    });
  });

  it.each([
    ['ends in the past', { exp: start }, "'Expiration time' claim ('exp') must be a numeric value"],
    ['lives for more than 10 minutes', { exp: start + 601 }, "('exp') is too far in the future"],
    ['was made in the time to come', { iat: start + 30 }, "'Issued at' claim ('iat') must be an Integer"],
    ['says no time', { iat: 'now' }, "'Issued at' claim ('iat') must be an Integer"],
  ])('is refused with what %s, as a clock that is wrong makes it', async (_, claims, message) => {
    const refused = await asApp(claims)
      .getAuthenticated()
      .catch((error) => error);
    expect(refused).toMatchObject({ status: 401, message: expect.stringContaining(message) });
    expect(Date.parse(refused.response.headers.date)).toBe(start * 1000);
  });

  it('is refused with the key of another, with none, and by an unknown id', async () => {
    const other = trial.simulator.apps.register({ owner: 'alice', name: 'Other', permissions: {} });
    const undecodable = {
      status: 401,
      message: expect.stringContaining('A JSON web token could not be decoded'),
    };
    const forged = trial.octokit(jwt({}, other.privateKey)).rest.apps;
    await expect(forged.getAuthenticated()).rejects.toMatchObject(undecodable);
    await expect(trial.octokit('owner-token').rest.apps.getAuthenticated()).rejects.toMatchObject(
      undecodable,
    );
    await expect(asApp({ iss: 1 }).getAuthenticated()).rejects.toMatchObject({ status: 404 });
  });

  it('is made of a manifest whose code works once and for an hour', async () => {
    const manifest = { owner: 'owner', name: 'From manifest', permissions: { issues: 'write' } } as const;
    const code = trial.simulator.apps.acceptManifest(manifest);
    const { data } = await trial.octokit().rest.apps.createFromManifest({ code });
    expect(data).toMatchObject({ slug: 'from-manifest', pem: expect.stringContaining('RSA PRIVATE KEY') });
    const made = trial.octokit(jwt({ iss: data.id }, data.pem)).rest.apps;
    expect((await made.getAuthenticated()).data).toMatchObject({ slug: 'from-manifest' });
    await expect(trial.octokit().rest.apps.createFromManifest({ code })).rejects.toMatchObject({
      status: 404,
    });
    const late = trial.simulator.apps.acceptManifest({ ...manifest, name: 'Late' });
    trial.pass(61 * minute);
    await expect(trial.octokit().rest.apps.createFromManifest({ code: late })).rejects.toMatchObject({
      status: 404,
    });
  });
});

describe('a token of an installation', () => {
  it('acts as the app’s account, and ends after an hour of the server’s clock', async () => {
    trial.simulator.openIssue({ repo: repositoryName, author: 'alice', title: 'x' });
    const { token, expires_at, permissions } = await newToken();
    expect(token).toMatch(/^ghs_[A-Za-z0-9]{36}$/);
    expect(expires_at).toBe('2024-05-01T01:00:00Z');
    expect(permissions).toEqual({
      issues: 'write',
      pull_requests: 'write',
      contents: 'write',
      checks: 'read',
      metadata: 'read',
    });
    const octokit = trial.octokit(token);
    const comment = { ...repository, issue_number: 1, body: 'Hello' };
    const { data } = await octokit.rest.issues.createComment(comment);
    expect(data.user).toMatchObject({ login: 'my-agent[bot]', type: 'Bot' });
    const { data: user } = await octokit.rest.users.getByUsername({ username: 'my-agent[bot]' });
    expect(user.id).toBe(data.user?.id);
    await expect(octokit.rest.users.getAuthenticated()).rejects.toMatchObject({ status: 403 });
    trial.pass(59 * minute);
    expect((await octokit.rest.issues.createComment(comment)).status).toBe(201);
    trial.pass(minute);
    await expect(octokit.rest.issues.createComment(comment)).rejects.toMatchObject({
      status: 401,
      message: expect.stringContaining('Bad credentials'),
    });
  });

  it('is for the repositories and the permissions that it was made with', async () => {
    const repositories = await trial
      .octokit((await newToken()).token)
      .rest.apps.listReposAccessibleToInstallation();
    expect(repositories.data.repositories.map(({ name }) => name)).toEqual(['demo', 'other']);
    const narrow = await newToken({ repositories: ['demo'], permissions: { issues: 'read' } });
    expect(narrow).toMatchObject({
      repository_selection: 'selected',
      repositories: [{ name: 'demo' }],
      permissions: { issues: 'read', metadata: 'read' },
    });
    const octokit = trial.octokit(narrow.token);
    expect((await octokit.rest.issues.listForRepo(repository)).status).toBe(200);
    await expect(octokit.rest.issues.create({ ...repository, title: 'x' })).rejects.toMatchObject({
      status: 403,
      message: expect.stringContaining('Resource not accessible by integration'),
      response: { headers: { 'x-accepted-github-permissions': 'issues=write' } },
    });
    await expect(octokit.rest.issues.listForRepo({ owner: 'owner', repo: 'other' })).rejects.toMatchObject({
      status: 404,
    });
    await expect(newToken({ permissions: { administration: 'write' } })).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining('The permissions requested are not granted to this installation.'),
    });
    await expect(newToken({ repositories: ['none'] })).rejects.toMatchObject({ status: 422 });
  });

  it('shares its limit with the other tokens of the installation', async () => {
    const { apps } = trial.simulator;
    trial.simulator.setRateLimit({ limit: 5_000, remaining: 2 });
    const list = async () => {
      const { rest } = trial.octokit(apps.token(installation));
      return (await rest.issues.listForRepo(repository)).headers['x-ratelimit-remaining'];
    };
    expect([await list(), await list()]).toEqual(['1', '0']);
    await expect(list()).rejects.toMatchObject({
      status: 403,
      message: expect.stringContaining(`API rate limit exceeded for installation ID ${installation}.`),
    });
  });

  it('has no role that could be asked for', async () => {
    const permission = trial.octokit('agent-token').rest.repos.getCollaboratorPermissionLevel;
    await expect(permission({ ...repository, username: app.login })).rejects.toMatchObject({
      status: 404,
      message: expect.stringContaining('my-agent[bot] is not a user'),
    });
  });

  it('is git’s password, until it ends', async () => {
    const { token } = await newToken();
    const remote = trial.remote().replace('http://', `http://x-access-token:${token}@`);
    await trial.git('clone', '--quiet', remote, 'work');
    const work = ['-C', 'work', '-c', 'user.name=x', '-c', 'user.email=x@example.com'];
    await trial.git(...work, 'commit', '--quiet', '--allow-empty', '-m', 'One');
    await trial.git(...work, 'push', '--quiet', 'origin', 'HEAD:refs/heads/agent');
    trial.pass(60 * minute);
    await expect(trial.git(...work, 'push', 'origin', 'HEAD:refs/heads/late')).rejects.toThrow(
      /Authentication failed/,
    );
    const renewed = await newToken({}, { iat: start + 3500, exp: start + 3900 });
    const again = trial.remote().replace('http://', `http://x-access-token:${renewed.token}@`);
    await trial.git(...work, 'push', '--quiet', again, 'HEAD:refs/heads/late');
  });

  it('is refused while the installation is suspended, and unknown once it is gone', async () => {
    const { apps } = trial.simulator;
    const { token } = await newToken();
    const list = () => trial.octokit(token).rest.issues.listForRepo(repository);
    apps.suspend(installation, 'owner');
    const suspended = {
      status: 403,
      message: expect.stringContaining('This installation has been suspended'),
    };
    await expect(list()).rejects.toMatchObject(suspended);
    await expect(newToken()).rejects.toMatchObject(suspended);
    expect((await asApp().getInstallation({ installation_id: installation })).data).toMatchObject({
      suspended_by: { login: 'owner' },
    });
    apps.unsuspend(installation);
    expect((await list()).status).toBe(200);
    await trial.octokit(token).rest.apps.revokeInstallationAccessToken();
    await expect(list()).rejects.toMatchObject({ status: 401 });
    apps.uninstall(installation);
    await expect(newToken()).rejects.toMatchObject({ status: 404 });
    await expect(asApp().getRepoInstallation(repository)).rejects.toMatchObject({ status: 404 });
  });

  it('follows which repositories the account has chosen', async () => {
    trial.simulator.apps.choose(installation, ['owner/other']);
    await expect(asApp().getRepoInstallation(repository)).rejects.toMatchObject({ status: 404 });
    const { token } = await newToken();
    const create = (repo: string) =>
      trial.octokit(token).rest.issues.create({ owner: 'owner', repo, title: 'x' });
    expect((await create('other')).status).toBe(201);
    await expect(create('demo')).rejects.toMatchObject({ status: 403 });
  });
});

describe('a token of a person', () => {
  it('tells when it ends, and is refused from then on', async () => {
    const { simulator } = trial;
    const expiresAt = Date.UTC(2024, 4, 2);
    simulator.addToken({ token: 'ending', login: 'alice', permissions: {}, expiresAt });
    const { headers } = await trial.octokit('ending').rest.users.getAuthenticated();
    expect(headers).toMatchObject({ 'github-authentication-token-expiration': '2024-05-02 00:00:00 UTC' });
    expect(headers).not.toHaveProperty('x-oauth-scopes');
    const classic = await trial.octokit('alice-token').rest.users.getAuthenticated();
    expect(classic.headers).toMatchObject({ 'x-oauth-scopes': 'repo' });
    trial.pass(24 * 60 * minute);
    await expect(trial.octokit('ending').rest.users.getAuthenticated()).rejects.toMatchObject({
      status: 401,
    });
  });
});
