import { Octokit } from '@octokit/rest';
import { afterEach, describe, expect, it } from 'vitest';
import { parseWorld } from './parse-world.ts';
import { startWorld, type World, type WorldOptions } from './start-world.ts';

const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function start(text: string, options?: WorldOptions): Promise<World> {
  const world = await startWorld(parseWorld(text), options);
  closing.push(world.close);
  return world;
}

const shop = `
github:
  users: [alice, { login: robot, type: Bot }]
  tokens:
    - { token: alices, login: alice }
  repositories:
    - owner: alice
      name: shop
      files: { sum.js: "export const sum = 3;" }
      collaborators: { robot: write }
  pushes:
    - { repo: alice/shop, branch: fix, author: alice, files: { sum.js: "export const sum = 4;" } }
  protectedBranches:
    - { repo: alice/shop, branch: main }
  issues:
    - { repo: alice/shop, author: alice, title: The sum is wrong, labels: [bug] }
  pullRequests:
    - { repo: alice/shop, author: robot, title: Four it is, headBranch: fix, draft: true }
  comments:
    - { repo: alice/shop, number: 1, author: robot, body: On it. }
gitlab:
  users: [alice]
  tokens:
    - { token: hers, username: alice }
  projects:
    - { path: alice/shop, files: { sum.js: "export const sum = 3;" } }
  issues:
    - { project: alice/shop, author: alice, title: The sum is wrong }
  notes:
    - { project: alice/shop, reference: "#1", author: alice, body: Please. }
discord:
  channels: [shop]
  messages:
    - { author: alice, text: Hello., channel: shop, mention: true }
model:
  replies:
    - toolCalls: [{ name: read_file, input: { path: sum.js } }]
    - text: Done.
`;

function octokitOf(world: World): Octokit {
  const silent = { debug() {}, info() {}, warn() {}, error() {} };
  return new Octokit({ baseUrl: world.urls().github ?? '', auth: 'alices', log: silent });
}

const issue = { owner: 'alice', repo: 'shop', issue_number: 1 };

describe('startWorld', () => {
  it('plants what each section says, where real clients find it [NX-393]', async () => {
    const world = await start(shop);
    const octokit = octokitOf(world);
    const { data: pull } = await octokit.rest.pulls.get({ ...issue, pull_number: 2 });
    expect(pull).toMatchObject({
      title: 'Four it is',
      draft: true,
      head: { ref: 'fix' },
      user: { login: 'robot' },
    });
    const { data: comments } = await octokit.rest.issues.listComments(issue);
    expect(comments).toMatchObject([{ body: 'On it.', user: { login: 'robot', type: 'Bot' } }]);
    const headers = { 'private-token': 'hers' };
    const notes = await fetch(`${world.urls().gitlab}/api/v4/projects/alice%2Fshop/issues/1/notes`, {
      headers,
    });
    expect(await notes.json()).toMatchObject([{ body: 'Please.', author: { username: 'alice' } }]);
    const asked = await fetch(`${world.urls().model}/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({
        model: 'scripted-model',
        messages: [{ role: 'user', content: 'Go.' }],
        tools: [{ type: 'function', function: { name: 'read_file', parameters: {} } }],
      }),
    });
    expect(JSON.stringify(await asked.json())).toContain('read_file');
    expect(world.urls().discord).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api$/);
    expect(world.requests('github')).toHaveLength(2);
  });

  it('starts the sections that are wanted, and says which one is missing [NX-393]', async () => {
    const world = await start(shop, { services: ['model'] });
    expect(Object.keys(world.urls())).toEqual(['model']);
    expect(() => world.requests('github')).toThrow('The simulator github is not started. Started: model.');
    await expect(start('model: {}', { services: ['gitlab'] })).rejects.toThrow(
      'The seed has no section "gitlab:".',
    );
  });

  it('makes requests fail as it is told, and comes back to its seed at the same addresses [NX-394]', async () => {
    const world = await start(shop);
    const octokit = octokitOf(world);
    const urls = world.urls();
    world.fail('github', { kind: 'refused', status: 451, path: '/issues/1', times: 'always' });
    world.fail('model', 'garbage');
    await expect(octokit.rest.issues.get(issue)).rejects.toMatchObject({ status: 451 });
    await expect(octokit.rest.issues.get(issue)).rejects.toMatchObject({ status: 451 });
    await octokit.rest.issues.createComment({ ...issue, issue_number: 2, body: 'Thanks.' });
    expect(() => world.fail('github', { kind: 'slow', delay: 3 })).toThrow(
      /fault of github\n✖ Unrecognized key: "delay"/,
    );

    await world.reset();
    expect(world.urls()).toEqual(urls);
    expect((await octokit.rest.issues.get(issue)).data.title).toBe('The sum is wrong');
    expect((await octokit.rest.issues.listComments({ ...issue, issue_number: 2 })).data).toEqual([]);
    expect(world.requests('github')).toHaveLength(2);
  });

  it('comes back one time after the other where several ask at once, and ends after them [NX-394]', async () => {
    const world = await start('github: { users: [alice] }');
    const { github } = world.urls();
    await Promise.all([world.reset(), world.reset()]);
    expect((await fetch(`${github}/users/alice`)).status).toBe(200);
    const again = world.reset();
    await world.close();
    await again;
    await expect(fetch(`${github}/users/alice`)).rejects.toThrow('fetch failed');
  });

  it('lets a token into the repositories that it names, and no others [NX-393]', async () => {
    const world = await start(`
github:
  users: [alice]
  tokens: [{ token: narrow, login: alice, permissions: { contents: read }, repositories: [alice/one] }]
  repositories:
    - { owner: alice, name: one, private: true }
    - { owner: alice, name: two, private: true }
`);
    const headers = { authorization: 'token narrow' };
    const statuses = ['one', 'two'].map(async (name) => {
      const answer = await fetch(`${world.urls().github}/repos/alice/${name}`, { headers });
      return answer.status;
    });
    expect(await Promise.all(statuses)).toEqual([200, 404]);
  });

  it('takes a section without anything in it for an empty simulator [NX-393]', async () => {
    const world = await start('github:\nmodel:\n');
    expect((await fetch(`${world.urls().github}/users/alice`)).status).toBe(404);
    expect((await fetch(`${world.urls().model}/models`)).status).toBe(200);
  });

  it('stays closed, whoever asks for what [NX-394]', async () => {
    const world = await start('github: { users: [alice] }');
    const { github } = world.urls();
    await Promise.all([world.close(), world.close()]);
    await expect(world.reset()).rejects.toThrow('The world is closed.');
    await expect(fetch(`${github}/users/alice`)).rejects.toThrow('fetch failed');
  });

  it.each([
    ['a typo in a section', 'github: { repos: [] }', /Unrecognized key: "repos"\s+→ at github/],
    ['a typo deep inside', 'github: { users: [{ login: a, typ: Bot }] }', /"typ"\s+→ at github\.users\[0\]/],
    ['a section that is none', 'gitub: {}', /Unrecognized key: "gitub"/],
    [
      'a reference of another form',
      'gitlab: { notes: [{ project: a/b, reference: 1, author: a, body: b }] }',
      /such as "#3"/,
    ],
    [
      'a route that Discord has not',
      'discord: { faults: [{ kind: fail, route: GET /x, status: 500 }] }',
      /discord\.faults\[0\]\.route/,
    ],
    [
      'somebody who is not there',
      'github: { tokens: [{ token: t, login: bob }] }',
      /^github\.tokens\[0\]: .*bob/,
    ],
    [
      'a channel that is not there',
      'discord: { messages: [{ author: a, text: b, channel: c }] }',
      /^discord\.messages\[0\]: there is no channel c/,
    ],
    ['text that is no YAML', 'github: [', /^The seed is not valid YAML: .*at line 1/s],
    ['a name that stands for nothing', 'github: *world', /^The seed is not valid YAML: Unresolved alias/],
    ['a wait that no timer can keep', 'model: { faults: [{ kind: slow, delayMs: 3000000000 }] }', /delayMs/],
    [
      'a token of a repository that is not there',
      'github: { users: [a], tokens: [{ token: t, login: a, repositories: [a/b] }] }',
      /^github\.tokens\[0\]: The simulator has no repository "a\/b"/,
    ],
    [
      'a comment on an issue that is not there',
      'github: { users: [a], repositories: [{ owner: a, name: b }], comments: [{ repo: a/b, number: 9, author: a, body: c }] }',
      /^github\.comments\[0\]: .*#9/,
    ],
    [
      'an owner that is no folder',
      'github: { users: [../x], repositories: [{ owner: ../x, name: a }] }',
      /^github\.repositories\[0\]: "\.\.\/x" can't be the owner/,
    ],
    [
      'a file outside of its repository',
      'github: { users: [a], repositories: [{ owner: a, name: b, files: { ../x: y } }] }',
      /repositories\[0\]\.files/,
    ],
    [
      'a file that is a folder, too',
      'gitlab: { users: [a], projects: [{ path: a/b, files: { c: d, c/e: f } }] }',
      /"c" is a file and a folder/,
    ],
    ['a list', '- github', /^The seed has no sections/],
  ])('refuses %s, and says where it is [NX-393]', async (_, text, message) => {
    await expect(start(text)).rejects.toThrow(message);
  });
});
