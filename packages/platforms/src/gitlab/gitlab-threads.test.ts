import { describe, expect, it } from 'vitest';
import { onGitLab } from '../../test/fixtures/gitlab-fixture.ts';
import { contractWorld } from '../testing/index.ts';
import { createGitLabPlatform } from './index.ts';

const { repository: project } = contractWorld;
const open = { label: null, assignee: null, state: 'open' } as const;
const opening = { author: 'alice', title: 'change', headBranch: 'change' };

describe("GitLab's tasks", () => {
  it('are issues and merge requests of all projects together, oldest first', () =>
    onGitLab(async ({ simulator, connect, people }) => {
      await simulator.addProject({ path: 'team/sub/second', files: {}, members: { agent: 'developer' } });
      await people.passTime(10);
      simulator.openIssue({ project: 'team/sub/second', author: 'octo', title: 'second' });
      await people.passTime(10);
      await people.openPullRequest({ ...opening, title: 'third' });
      await people.passTime(10);
      await people.openIssue({ author: 'alice', title: 'fourth' });
      const platform = connect({ projects: ['team/sub/second', project] });
      const { tasks } = await platform.tasks.listTasks(open);
      expect(tasks.map(({ title }) => title)).toEqual(['Contract', 'second', 'third', 'fourth']);
    }));

  it('an issue and a merge request of one number are two [CI-27] [CI-28]', () =>
    onGitLab(async ({ platform, people, projectId }) => {
      await people.openPullRequest(opening);
      const keys = (await platform.tasks.listTasks(open)).tasks.map(({ key }) => key);
      expect(keys).toEqual([
        { type: 'gitlab_issue', projectId, issueIid: 1 },
        { type: 'gitlab_merge_request', projectId, mrIid: 1 },
      ]);
    }));

  it('a merged merge request is closed, and has the label and assignee that are asked for', () =>
    onGitLab(async ({ simulator, platform, people }) => {
      const key = await people.openPullRequest(opening);
      await people.addLabels(key, ['coding agent']);
      simulator.assign(project, '!1', ['agent']);
      const query = { label: 'coding agent', assignee: 'agent' };
      expect((await platform.tasks.listTasks({ ...query, state: 'open' })).tasks).toHaveLength(1);
      expect((await platform.tasks.listTasks({ label: null, assignee: 'bob', state: 'all' })).tasks).toEqual(
        [],
      );
      simulator.closeThread(project, '!1', { merged: true });
      expect((await platform.tasks.listTasks({ ...query, state: 'open' })).tasks).toEqual([]);
      const { tasks: closed } = await platform.tasks.listTasks({ ...query, state: 'closed' });
      expect(closed.map((task) => task.key)).toEqual([key]);
      const { state, changeRequest } = await platform.openThread(key).reader.readThread();
      expect([state, changeRequest?.state]).toEqual(['closed', 'merged']);
    }));

  it('a merge request says whether it conflicts with its base [NX-231]', () =>
    onGitLab(async ({ simulator, platform, people }) => {
      const key = await people.openPullRequest(opening);
      const read = async () => (await platform.openThread(key).reader.readThread()).changeRequest?.conflicts;
      expect(await read()).toBe(false);
      for (const branch of ['main', opening.headBranch])
        await simulator.push({ project, branch, author: 'alice', files: { 'clash.txt': branch } });
      expect(await read()).toBe(true);
    }));

  it('asks once for the id of a project', () =>
    onGitLab(async ({ simulator, platform }) => {
      await platform.tasks.listTasks(open);
      const asked = simulator.requests.length;
      await platform.tasks.listTasks(open);
      expect(simulator.requests.slice(asked).map(({ path }) => path.replace(/\?.*$/, ''))).toEqual([
        expect.stringMatching(/projects\/\d+\/issues$/),
        expect.stringMatching(/projects\/\d+\/merge_requests$/),
      ]);
    }));

  it('a project that was renamed or moved keeps its keys, and is found by its old path too', () =>
    onGitLab(async ({ simulator, platform, connect, key }) => {
      const {
        tasks: [before],
      } = await platform.tasks.listTasks(open);
      simulator.moveProject(project, 'team/renamed');
      const {
        tasks: [after],
      } = await platform.tasks.listTasks(open);
      expect(after?.key).toEqual(before?.key);
      const thread = platform.openThread(key);
      await thread.writer.ensureComment({ topic: 'final', body: 'Done.' });
      expect((await thread.comments.listComments({ since: null })).comments).toHaveLength(1);
      expect((await thread.repository?.describe())?.path).toBe('team/renamed');
      const {
        tasks: [found],
      } = await connect().tasks.listTasks(open);
      expect(found?.key).toEqual(key);
    }));
});

describe("GitLab's identity", () => {
  it('is asked for once, and after a failure again', () =>
    onGitLab(async ({ simulator, platform }) => {
      simulator.fail({ path: '/user', kind: 'server-error' });
      await expect(platform.identity.whoAmI()).rejects.toMatchObject({ code: 'unavailable' });
      const account = await platform.identity.whoAmI();
      const asked = simulator.requests.length;
      expect(await platform.identity.whoAmI()).toEqual(account);
      expect(simulator.requests.length).toBe(asked);
    }));

  it('is the configured name where the token may not ask whose it is [X2]', () =>
    onGitLab(async ({ simulator, connect, platform }) => {
      simulator.fail({ path: /\/user$/, kind: 'forbidden', times: 3 });
      await expect(platform.identity.whoAmI()).rejects.toMatchObject({
        code: 'forbidden',
        message: expect.stringContaining('set botName'),
      });
      expect(await connect({ botName: 'Agent' }).identity.whoAmI()).toMatchObject({ login: 'agent' });
      await expect(connect({ botName: 'nobody' }).identity.whoAmI()).rejects.toMatchObject({
        code: 'not-found',
        message: expect.stringContaining('botName'),
      });
    }));

  it('is not the configured name because the question failed [X2]', () =>
    onGitLab(async ({ simulator, connect }) => {
      const platform = connect({ botName: 'octo' });
      simulator.fail({ path: '/user', kind: 'server-error' });
      await expect(platform.identity.whoAmI()).rejects.toMatchObject({ code: 'unavailable' });
      expect(await platform.identity.whoAmI()).toMatchObject({ login: 'agent' });
    }));

  it('knows the account of a project access token for a bot [X2]', () =>
    onGitLab(async ({ simulator, connect }) => {
      simulator.addUser({ username: 'project_7_bot_1a2b', bot: true });
      simulator.addToken({ token: 'of-project', username: 'project_7_bot_1a2b' });
      const account = await connect({ token: 'of-project' }).identity.whoAmI();
      expect(account).toMatchObject({ login: 'project_7_bot_1a2b', kind: 'bot' });
    }));
});

describe('createGitLabPlatform', () => {
  it.each([
    [undefined, 'gitlab.com'],
    ['https://host.example/gitlab/', 'host.example'],
    ['http://127.0.0.1:8080', '127.0.0.1:8080'],
  ])('files keys of %s under the host %s', (baseUrl, host) => {
    const options = { token: 't', projects: [], ...(baseUrl === undefined ? {} : { baseUrl }) };
    expect(createGitLabPlatform(options).host).toBe(host);
    expect(createGitLabPlatform({ ...options, host: 'code.example' }).host).toBe('code.example');
  });

  it('tells a thread of every request that was made for it, and of no other', () =>
    onGitLab(async ({ simulator, platform, key }) => {
      const one: string[] = [];
      const other: string[] = [];
      const first = platform.openThread(key, { onRequest: ({ route }) => one.push(route) });
      const second = platform.openThread(key, { onRequest: ({ route }) => other.push(route) });
      const asked = simulator.requests.length;
      await first.writer.ensureComment({ topic: 'final', body: 'Done.' });
      await second.reader.readThread();
      await second.labels?.addLabel('bug');
      expect(one).toEqual([
        'GET /user',
        'GET /projects/{id}/issues/{issue_iid}/notes',
        'GET /projects/{id}',
        'POST /projects/{id}/issues/{issue_iid}/notes',
      ]);
      expect(one.length + other.length).toBe(simulator.requests.length - asked);
    }));
});
