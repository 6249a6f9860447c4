import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SimulatedFailure } from './github-simulator.ts';
import { repository, repositoryName, startTrial, type Trial } from './trial.ts';

let trial: Trial;
const thread = { ...repository, issue_number: 1 };

beforeEach(async () => {
  trial = await startTrial();
  trial.simulator.openIssue({ repo: repositoryName, author: 'alice', title: 'Talk' });
});

afterEach(() => trial.close());

const rest = (token = 'agent-token') => trial.octokit(token).rest;
const say = (token?: string) => rest(token).issues.createComment({ ...thread, body: 'x' });
const list = () => rest().issues.listComments({ ...thread, per_page: 1 });
const clone = () => trial.git('clone', '--quiet', trial.remote('agent-token'), '.');
const push = (token = 'agent-token') =>
  trial.git('push', '--quiet', trial.remote(token), 'HEAD:refs/heads/new');
const commit = async (path: string) => {
  await mkdir(join(trial.folder, path, '..'), { recursive: true });
  await writeFile(join(trial.folder, path), 'on: push\n');
  await trial.git('add', '.');
  await trial.git('commit', '--quiet', '-m', 'Change');
};
const readOnly = { status: 403, message: expect.stringMatching('Repository was archived so is read-only.') };

describe('the simulated GitHub', () => {
  it('refuses every write to an archived repository, and lets it be read', async () => {
    await clone();
    await commit('a.js');
    trial.simulator.changeRepository(repositoryName, { archived: true });
    await expect(say()).rejects.toMatchObject(readOnly);
    await expect(rest().issues.addLabels({ ...thread, labels: ['bug'] })).rejects.toMatchObject(readOnly);
    await expect(rest().reactions.createForIssue({ ...thread, content: '+1' })).rejects.toMatchObject(
      readOnly,
    );
    await expect(push()).rejects.toThrow('This repository was archived so it is read-only.');
    expect((await list()).status).toBe(200);
    await trial.git('fetch', '--quiet', 'origin');
    trial.simulator.changeRepository(repositoryName, { archived: false });
    await say();
    await push();
  });

  it('lets only people with write access comment on a locked thread', async () => {
    trial.simulator.lockThread(repositoryName, 1);
    expect((await rest().issues.get(thread)).data.locked).toBe(true);
    await expect(say('alice-token')).rejects.toMatchObject({
      status: 403,
      message: expect.stringMatching('Unable to create comment because issue is locked.'),
    });
    await say();
    trial.simulator.lockThread(repositoryName, 1, { locked: false });
    await say('alice-token');
  });

  it('refuses workflows of a token without that permission, and nothing else', async () => {
    trial.simulator.addToken({ token: 'plain', login: 'agent', permissions: { workflows: 'none' } });
    await clone();
    await commit('a.js');
    await push('plain');
    await commit('.github/workflows/ci.yml');
    await expect(push('plain')).rejects.toThrow(
      'refusing to allow a Personal Access Token to create or update workflow `.github/workflows/ci.yml` without `workflow` scope',
    );
    await push();
  });

  it.each<readonly [SimulatedFailure['kind'], object]>([
    ['archived', readOnly],
    ['locked', { status: 403, message: expect.stringMatching('issue is locked') }],
    [
      'sso-required',
      {
        status: 403,
        message: expect.stringMatching('Resource protected by organization SAML enforcement'),
        response: { headers: { 'x-github-sso': expect.stringMatching(/^required; url=https:/) } },
      },
    ],
    ['submitted-too-quickly', { status: 422, message: expect.stringMatching('was submitted too quickly') }],
    ['cloudflare-1015', { status: 429, response: { data: 'error code: 1015' } }],
  ])('answers %s once when asked to, without an effect', async (kind, refusal) => {
    trial.simulator.fail({ method: 'POST', path: '/comments', kind });
    await expect(say()).rejects.toMatchObject(refusal);
    expect(trial.simulator.thread(repositoryName, 1).comments).toEqual([]);
    await say();
  });

  it('sends pages without links, with links of another host, and with cursors', async () => {
    for (const body of ['a', 'b', 'c'])
      trial.simulator.comment({ repo: repositoryName, number: 1, author: 'alice', body });
    trial.simulator.fail({ path: '/comments', kind: 'link-missing' });
    expect((await list()).headers.link).toBeUndefined();
    trial.simulator.fail({ path: '/comments', kind: 'link-foreign' });
    expect((await list()).headers.link).toMatch('<https://git.internal.example/repositories/');
    trial.simulator.fail({ path: '/comments', kind: 'keyset-links', times: 'always' });
    expect((await list()).headers.link).toMatch(/after=\w+>; rel="next"$/u);
    const all = await trial
      .octokit('agent-token')
      .paginate(rest().issues.listComments, { ...thread, per_page: 1 });
    expect(all.map(({ body }) => body)).toEqual(['a', 'b', 'c']);
  });

  it('sends answers whose headers a proxy has dropped or changed', async () => {
    for (const body of ['a', 'b'])
      trial.simulator.comment({ repo: repositoryName, number: 1, author: 'alice', body });
    const { etag } = (await list()).headers;
    trial.simulator.fail({ path: '/comments', kind: 'headers-dropped' });
    const dropped = Object.keys((await list()).headers);
    expect(dropped.filter((name) => /^(link|etag|date|x-ratelimit.*)$/.test(name))).toEqual([]);
    trial.simulator.fail({ path: '/comments', kind: 'headers-rewritten' });
    expect((await list()).headers).toMatchObject({
      link: expect.stringMatching('<https://git.internal.example/repositories/'),
      etag: etag?.replace(/"$/, '-gzip"'),
      'x-amzn-remapped-date': 'Wed, 01 May 2024 00:00:00 GMT',
    });
  });

  it('leaves what is young out of a list that lags', async () => {
    trial.simulator.comment({ repo: repositoryName, number: 1, author: 'alice', body: 'old' });
    trial.pass(61_000);
    await say();
    trial.simulator.fail({ method: 'GET', path: '/comments', kind: 'lag', times: 2 });
    const bodies = async () => (await rest().issues.listComments(thread)).data.map(({ body }) => body);
    expect(await bodies()).toEqual(['old']);
    trial.pass(61_000);
    expect(await bodies()).toEqual(['old', 'x']);
  });

  it.each<readonly [what: string, failure: object, message: string]>([
    ['kind', { kind: 'server-eror' }, 'fail: kind "server-eror" is not one of server-error, '],
    ['field', { kind: 'slow', delay: 3 }, 'fail: delay is not one of method, path, '],
    [
      'number of times',
      { kind: 'slow', times: 'allways' },
      'fail: times "allways" is not a positive integer',
    ],
    ['number of times', { kind: 'slow', times: 0 }, 'fail: times 0 is not a positive integer or "always".'],
    ['method', { kind: 'slow', method: 'FETCH' }, 'fail: method "FETCH" is not GET, HEAD'],
    ['status', { kind: 'refused', status: 200 }, 'fail: status 200 is not from 400 to 599.'],
    ['path', { kind: 'slow', path: '/coments' }, 'fail: path "/coments" is not part of an address'],
    ['path', { kind: 'slow', path: '/repos/owner/demo/isues' }, 'is not part of an address'],
    ['path', { kind: 'slow', path: '/issues/1/coments' }, 'is not part of an address'],
  ])('takes no failure with an unknown %s', (_, failure, message) => {
    expect(() => trial.simulator.fail(failure as SimulatedFailure)).toThrow(message);
  });

  it.each(
    [
      '',
      '/',
      '?page=2',
      'page=2',
      '/comments',
      'comments',
      '/issues/1',
      '/owner/demo',
      '/demo.git/info/refs',
    ].concat([
      '/repos/owner/demo/contents/src/sum.js',
      'git-receive-pack',
      '/repos/owner/demo/issues/',
      '/api/v3/user',
      '/graphql',
    ]),
  )('takes a failure with the path %s', (path) => {
    trial.simulator.fail({ path, kind: 'server-error', times: 'always' });
  });
});
