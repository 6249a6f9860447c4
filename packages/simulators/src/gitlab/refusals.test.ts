import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SimulatedGitLabFailure } from './gitlab-simulator.ts';
import { project, projectApi, startTrial, type Trial } from './trial.ts';

let trial: Trial;
const notes = `${projectApi}/issues/1/notes`;

beforeEach(async () => {
  trial = await startTrial();
  trial.simulator.openIssue({ project, author: 'reporter', title: 'Talk' });
});

afterEach(() => trial.close());

const say = () => trial.rest(notes, { method: 'POST', body: { body: 'x' } });
const list = () => trial.rest(`${notes}?per_page=1&sort=asc`);
const push = () => trial.git('push', '--quiet', trial.remote('agent-token'), 'HEAD:refs/heads/new');

describe('the simulated GitLab', () => {
  it('refuses every write to an archived project, and lets it be read', async () => {
    await trial.git('clone', '--quiet', trial.remote('agent-token'), '.');
    await writeFile(join(trial.folder, 'a.js'), '1\n');
    await trial.git('add', '.');
    await trial.git('commit', '--quiet', '-m', 'Change');
    trial.simulator.archiveProject(project);
    const refusal = { status: 403, body: { message: '403 Forbidden' } };
    expect(await say()).toMatchObject(refusal);
    expect(
      await trial.rest(`${projectApi}/issues/1`, { method: 'PUT', body: { add_labels: 'bug' } }),
    ).toMatchObject(refusal);
    await expect(push()).rejects.toThrow('You are not allowed to push code to this project.');
    expect((await list()).status).toBe(200);
    trial.simulator.archiveProject(project, { archived: false });
    expect((await say()).status).toBe(201);
    await push();
  });

  it.each<readonly [SimulatedGitLabFailure['kind'], object]>([
    ['resource-lock', { status: 409, body: { message: '409 Conflict: Resource lock' } }],
    ['forbidden', { status: 403 }],
    ['cloudflare-1015', { status: 429, body: 'error code: 1015' }],
  ])('answers %s once when asked to, without an effect', async (kind, refusal) => {
    trial.simulator.fail({ method: 'POST', path: '/notes', kind });
    expect(await say()).toMatchObject(refusal);
    expect(trial.simulator.thread(project, '#1').notes).toEqual([]);
    expect((await say()).status).toBe(201);
  });

  it('sends pages without links, with links of another host, and with cursors', async () => {
    for (const body of ['a', 'b'])
      trial.simulator.note({ project, reference: '#1', author: 'reporter', body });
    trial.simulator.fail({ path: '/notes', kind: 'link-missing' });
    const { headers } = await list();
    expect([headers.get('link'), headers.get('x-next-page'), headers.get('x-total')]).toEqual([
      null,
      null,
      null,
    ]);
    trial.simulator.fail({ path: '/notes', kind: 'link-foreign' });
    expect((await list()).headers.get('link')).toMatch('<https://git.internal.example/api/v4/projects/');
    trial.simulator.fail({ path: '/notes', kind: 'keyset-links', times: 'always' });
    const link = (await list()).headers.get('link') ?? '';
    const [, next = ''] = /<([^>]*cursor=[^>]*)>; rel="next"/u.exec(link) ?? [];
    const second = await trial.rest(next.slice(next.indexOf('/projects')));
    expect(second.body.map(({ body }: { readonly body: string }) => body)).toEqual(['b']);
  });

  it('leaves what is young out of a list that lags', async () => {
    await say();
    trial.simulator.fail({ method: 'GET', path: '/notes', kind: 'lag', times: 2 });
    expect((await list()).body).toEqual([]);
    trial.pass(61_000);
    expect((await list()).body).toHaveLength(1);
  });

  it.each([
    '/notes',
    '/projects/group%2Fdemo/issues',
    '/group/demo.git',
    '/user',
    'git-receive-pack',
    '/award_emoji',
  ])('takes a failure with the path %s', (path) =>
    trial.simulator.fail({ path, kind: 'server-error', times: 'always' }),
  );

  it.each([
    ['path', { kind: 'slow', path: '/note_s' }, 'fail: path "/note_s" is not part of an address'],
    ['kind', { kind: 'archived' }, 'fail: kind "archived" is not one of server-error, '],
  ])('takes no failure with an unknown %s', (_, failure, message) => {
    expect(() => trial.simulator.fail(failure as SimulatedGitLabFailure)).toThrow(message);
  });
});
