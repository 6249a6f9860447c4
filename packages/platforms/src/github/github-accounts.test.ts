import { describe, expect, it } from 'vitest';
import { onSimulator } from '../../test/fixtures/simulator-fixture.ts';
import { createGitHubPlatform } from './index.ts';

/** What an installation token gets: GitHub does not say whose it is. */
const asInstallation: typeof fetch = async (input, init) => {
  if (!String(input).endsWith('/user')) return fetch(input, init);
  return Response.json({ message: 'Resource not accessible by integration' }, { status: 403 });
};

/** What a server says that tells the permission alone. */
const withoutUser: typeof fetch = async (input, init) => {
  const { permission } = (await (await fetch(input, init)).json()) as { readonly permission: string };
  return Response.json({ permission });
};

describe("GitHub's identity", () => {
  it('is asked for once', () =>
    onSimulator(async ({ simulator, platform }) => {
      const account = await platform.identity.whoAmI();
      const asked = simulator.requests.length;
      expect(await platform.identity.whoAmI()).toEqual(account);
      expect(simulator.requests.length).toBe(asked);
    }));

  it('is the configured name where the token cannot say whose it is [X2]', () =>
    onSimulator(async ({ simulator, connect }) => {
      simulator.addUser({ login: 'helper[bot]', type: 'Bot' });
      const platform = connect({ fetch: asInstallation, botName: 'helper[bot]' });
      expect(await platform.identity.whoAmI()).toMatchObject({ login: 'helper[bot]', kind: 'bot' });
    }));

  it('says to configure a name where there is none [X2]', () =>
    onSimulator(async ({ connect }) => {
      await expect(connect({ fetch: asInstallation }).identity.whoAmI()).rejects.toMatchObject({
        code: 'forbidden',
        message: expect.stringContaining('set botName'),
      });
    }));

  it('is not the configured name because the question failed [X2]', () =>
    onSimulator(async ({ simulator, connect }) => {
      simulator.addUser({ login: 'helper[bot]', type: 'Bot' });
      const platform = connect({ botName: 'helper[bot]' });
      simulator.fail({ path: '/user', kind: 'server-error' });
      await expect(platform.identity.whoAmI()).rejects.toMatchObject({ code: 'unavailable' });
      expect(await platform.identity.whoAmI()).toMatchObject({ login: 'agent' });
    }));

  it('a question that failed is asked again', () =>
    onSimulator(async ({ simulator, platform }) => {
      simulator.fail({ path: '/user', kind: 'server-error' });
      await expect(platform.identity.whoAmI()).rejects.toMatchObject({ code: 'unavailable' });
      expect(await platform.identity.whoAmI()).toMatchObject({ login: 'agent' });
    }));
});

describe("GitHub's accounts", () => {
  it('are not taken for unknown because the question failed [NX-24]', () =>
    onSimulator(async ({ simulator, platform }) => {
      simulator.fail({ path: '/users/alice', kind: 'server-error' });
      await expect(platform.accounts?.findAccount('alice')).rejects.toMatchObject({ code: 'unavailable' });
      expect(await platform.accounts?.findAccount('alice')).toMatchObject({ login: 'alice' });
    }));

  it.each([
    ['the account has no number', '', fetch],
    ['GitHub does not say whose permission it is', '987654321', withoutUser],
  ])('may what GitHub says of their login where %s [X11]', (_, id, send) =>
    onSimulator(async ({ connect, key }) => {
      const { permissions } = connect({ fetch: send }).openThread(key);
      expect(await permissions?.accessOf({ id, login: 'alice', kind: 'person' })).toBe('write');
    }),
  );
});

describe("GitHub's permissions", () => {
  it('are not taken for none where the repository cannot be seen, but the account is there [X11]', () =>
    onSimulator(async ({ connect, key }) => {
      const unseen: typeof fetch = async (input, init) =>
        String(input).endsWith('/permission')
          ? Response.json({ message: 'Not Found' }, { status: 404 })
          : fetch(input, init);
      const { permissions } = connect({ fetch: unseen }).openThread(key);
      const accessOf = (login: string) => permissions?.accessOf({ id: '', login, kind: 'person' });
      await expect(accessOf('alice')).rejects.toMatchObject({ code: 'not-found' });
      expect(await accessOf('nobody')).toBe('none');
    }));
});

describe('createGitHubPlatform', () => {
  it.each([
    [undefined, 'github.com'],
    ['https://github.example.com/api/v3', 'github.example.com'],
    ['http://127.0.0.1:8080/', '127.0.0.1:8080'],
  ])('files keys of %s under the host %s', (baseUrl, host) => {
    const options = { token: 't', repositories: [], ...(baseUrl === undefined ? {} : { baseUrl }) };
    expect(createGitHubPlatform(options).host).toBe(host);
    expect(createGitHubPlatform({ ...options, host: 'code.example' }).host).toBe('code.example');
  });

  it('works below a path, as GitHub Enterprise Server has it', () =>
    onSimulator(async ({ simulator, connect }) => {
      const asked: string[] = [];
      const enterprise: typeof fetch = (input, init) => {
        asked.push(new URL(String(input)).pathname);
        return fetch(String(input).replace('/api/v3', ''), init);
      };
      const platform = connect({ baseUrl: `${simulator.url}/api/v3`, fetch: enterprise });
      const { tasks } = await platform.tasks.listTasks({ label: null, assignee: null, state: 'open' });
      expect(tasks.map(({ number }) => number)).toEqual([1]);
      expect(asked).toEqual(['/api/v3/repos/octo/hello/issues']);
    }));

  it('lists the tasks of all its repositories together, oldest first', () =>
    onSimulator(async ({ simulator, connect, people }) => {
      await simulator.addRepository({ owner: 'octo', name: 'second', files: {} });
      await people.passTime(10);
      simulator.openIssue({ repo: 'octo/second', author: 'octo', title: 'younger' });
      await people.passTime(10);
      await people.openIssue({ author: 'alice', title: 'youngest' });
      const platform = connect({ repositories: ['octo/second', 'octo/hello'] });
      const { tasks } = await platform.tasks.listTasks({ label: null, assignee: null, state: 'open' });
      expect(tasks.map(({ title }) => title)).toEqual(['Contract', 'younger', 'youngest']);
    }));

  it("files tasks under the platform's own spelling of a repository [CI-25, C7]", () =>
    onSimulator(async ({ connect, key }) => {
      const platform = connect({ repositories: ['OCTO/Hello'] });
      const { tasks } = await platform.tasks.listTasks({ label: null, assignee: null, state: 'open' });
      expect(tasks.map((task) => task.key)).toEqual([key]);
    }));

  it('tells a thread of every request that was made for it, and of no other', () =>
    onSimulator(async ({ simulator, platform, key }) => {
      const one: string[] = [];
      const other: string[] = [];
      const first = platform.openThread(key, {
        onRequest: ({ method, route }) => one.push(`${method} of ${route}`),
      });
      const second = platform.openThread(key, { onRequest: ({ route }) => other.push(route) });
      const asked = simulator.requests.length;
      await first.writer.ensureComment({ topic: 'final', body: 'Done.' });
      await second.reader.readThread();
      await second.labels?.addLabel('bug');
      expect(one).toHaveLength(3);
      expect(one.at(-1)).toBe('POST of POST /repos/{owner}/{repo}/issues/{issue_number}/comments');
      expect(one.length + other.length).toBe(simulator.requests.length - asked);
    }));

  it('leaves the configured time between two writes', () =>
    onSimulator(async ({ connect, key }) => {
      const times: number[] = [];
      const timing: typeof fetch = (input, init) => {
        if (init?.method !== 'GET') times.push(performance.now());
        return fetch(input, init);
      };
      const { labels } = connect({ writeSpacingMs: 40, fetch: timing }).openThread(key);
      await labels?.addLabel('one');
      await labels?.removeLabel('one');
      const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
      expect(gaps).toHaveLength(2);
      expect(Math.min(...gaps)).toBeGreaterThanOrEqual(29);
    }));
});
