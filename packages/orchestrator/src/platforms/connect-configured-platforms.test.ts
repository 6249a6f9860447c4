import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ContextStoreError } from '@agent/run-store';
import { createMemoryStorage } from '@agent/run-store/testing';
import { startGitHubSimulator } from '@agent/simulators/github';
import { startGitLabSimulator } from '@agent/simulators/gitlab';
import { createOutgoingGate } from '@agent/text/outgoing';
import type { WorkspaceTask } from '@agent/workspace';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { BoardEvent, ObserveBoard } from '../board/board-event.ts';
import { ConfigError } from '../config/config-error.ts';
import type { Owner } from '../connection/while-owned.ts';
import { type Environment, silentLogger } from '../host/ports.ts';
import { isTakenOver } from '../run/run-takeover.ts';
import { connectConfiguredPlatforms } from './connect-configured-platforms.ts';
import { platformsSchema } from './table.ts';

const token = 'token-of-agent';

async function startGitHub() {
  const gitHub = await startGitHubSimulator();
  onTestFinished(() => gitHub.close());
  for (const login of ['octo', 'agent', 'alice']) gitHub.addUser({ login });
  gitHub.addToken({ token, login: 'agent' });
  await gitHub.addRepository({
    owner: 'octo',
    name: 'hello',
    collaborators: { agent: 'write', alice: 'write' },
  });
  return gitHub;
}

const held: Owner = { requireOwned: () => undefined };

/** Connects as a configuration with these sections does. */
async function connect(
  sections: unknown,
  {
    environment = { GITHUB_TOKEN: token, GITLAB_TOKEN: token } as Environment,
    trust = 'collaborators',
    owner = held,
    observe = (() => {}) as ObserveBoard,
  } = {},
) {
  const directory = await mkdtemp(join(tmpdir(), 'connected-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  return connectConfiguredPlatforms(
    {
      sections: platformsSchema.parse(sections),
      trust,
      locale: null,
      workspaces: { directory, authorName: null, authorEmail: null },
      mentions: { notes: createMemoryStorage().notes, runsHear: true },
      gate: createOutgoingGate({ secrets: [token], places: [], allow: { paths: [], fingerprints: [] } }),
      environment,
      directory: tmpdir(),
    },
    { logger: silentLogger, observe, signal: new AbortController().signal, owner },
  );
}

/** A GitLab with one issue. */
async function startGitLab() {
  const gitLab = await startGitLabSimulator();
  onTestFinished(() => gitLab.close());
  for (const username of ['alice', 'agent']) gitLab.addUser({ username });
  gitLab.addToken({ token, username: 'agent' });
  const members = { alice: 'maintainer', agent: 'developer' } as const;
  const projectId = await gitLab.addProject({ path: 'octo/hello', files: {}, members });
  gitLab.openIssue({ project: 'octo/hello', author: 'alice', title: 'Hello' });
  return { gitLab, key: { type: 'gitlab_issue', projectId: String(projectId), issueIid: 1 } as const };
}

const forges = {
  github: async () => {
    const { url, requests, ...gitHub } = await startGitHub();
    const { number } = gitHub.openIssue({ repo: 'octo/hello', author: 'alice', title: 'Hello', labels: [] });
    const key = { type: 'github_issue', owner: 'octo', repo: 'hello', number } as const;
    return { section: { base_url: url, repositories: ['octo/hello'] }, key, requests };
  },
  gitlab: async () => {
    const { gitLab, key } = await startGitLab();
    const { url: base_url, requests } = gitLab;
    return { section: { base_url, projects: ['octo/hello'] }, key, requests };
  },
};

const toTask = (url: string): WorkspaceTask => ({
  ...{ uuid: '0b39c9a4-4f5e-4d2b-8a3f-3f1d9c5b7e21', host: new URL(url).host },
  ...{ repositoryPath: 'octo/hello', repositoryId: '1', cloneUrl: `${url}/octo/hello.git` },
  ...{ branch: 'agent/issue-1', baseBranch: 'main', branchMustExist: false, head: null, goesOnFrom: null },
});

describe('connectConfiguredPlatforms', () => {
  it.each(['github', 'gitlab'] as const)(
    'sends no write to %s, and asks nothing of its git, once the runs are lost [NX-153]',
    async (name) => {
      const { section, key, requests } = await forges[name]();
      let isLost = false;
      const requireOwned = () => {
        if (isLost) throw new ContextStoreError('Others have the runs.', { code: 'owned' });
      };
      const [connected] = await connect({ [name]: section }, { owner: { requireOwned } });
      const { reader, labels } = connected?.platform.openThread(key) ?? {};
      isLost = true;
      expect(await reader?.readThread({})).toMatchObject({ title: 'Hello' });
      const refused = await labels?.addLabel('late').catch((error: unknown) => error);
      expect(isTakenOver(refused)).toBe(true);
      const unopened = await connected?.workspaces.open(toTask(section.base_url)).catch((error) => error);
      expect(isTakenOver(unopened)).toBe(true);
      expect(requests.filter(({ method }) => method !== 'GET')).toEqual([]);
    },
  );

  it.each(['github', 'gitlab'] as const)(
    'tells of each request to %s by its class of route, and of each git command by its operation [NX-425]',
    async (name) => {
      const { section, key } = await forges[name]();
      const events: BoardEvent[] = [];
      const observe: ObserveBoard = (event) => events.push(event);
      const [connected] = await connect({ [name]: section }, { observe });
      await connected?.platform.openThread(key).comments.listComments({ since: null });
      const requests = events.filter((event) => event.type === 'request');
      expect(new Set(requests.map(({ route }) => route))).toEqual(new Set(['user', 'issues.comments']));
      for (const request of requests)
        expect(request).toMatchObject({ platform: name, method: 'GET', status: 200, error: null });
      expect(connected?.listPlaces?.()).toEqual(['octo/hello']);
      const workspace = { ...toTask(section.base_url), host: connected?.platform.host ?? '' };
      await connected?.workspaces.open(workspace);
      await connected?.workspaces.open({ ...workspace, branch: 'agent/issue-2', uuid: randomUUID() });
      const commands = events.filter((event) => event.type === 'git');
      const operations = commands.map(({ operation }) => operation);
      expect(operations.filter((operation) => operation !== 'other')).toEqual([
        ...['clone', 'worktree', 'fetch', 'worktree'],
      ]);
      expect(commands.every(({ durationMs }) => durationMs >= 0)).toBe(true);
    },
  );

  it('finds the tasks that the trigger of the section names', async () => {
    const gitHub = await startGitHub();
    const [wanted] = [['do it'], []].map((labels) =>
      gitHub.openIssue({ repo: 'octo/hello', author: 'alice', title: 'Hello', labels }),
    );
    const section = { base_url: gitHub.url, repositories: ['octo/hello'], bot_label: 'do it' };
    const [connected, ...others] = await connect({ github: section });
    const { tasks } = (await connected?.trigger.listWaiting({})) ?? { tasks: [] };
    expect(tasks.map(({ key }) => key)).toMatchObject([{ type: 'github_issue', number: wanted?.number }]);
    expect(connected).toMatchObject({
      botName: null,
      confidentialIssues: 'refuse',
      trust: { collaborators: true },
    });
    expect(others).toEqual([]);
  });

  it('says which variable holds the token, before anything is asked', async () => {
    const sections = { github: { repositories: ['octo/hello'] } };
    await expect(connect(sections, { environment: { GITHUB_TOKEN: ' ' } })).rejects.toThrow(
      /^GITHUB_TOKEN is not set\. It holds the GitHub token/,
    );
  });

  it('refuses two platforms of one host, to either of which a run could belong', async () => {
    const gitHub = await startGitHub();
    const adapter = `export default () => ({
      host: '${new URL(gitHub.url).host}',
      tasks: { listTasks: async () => ({ tasks: [], failures: [] }) },
      openThread: () => ({ reader: { readThread() {} }, comments: { listComments() {} }, writer: { ensureComment() {} } }),
    });`;
    const directory = await mkdtemp(join(tmpdir(), 'adapter-'));
    onTestFinished(() => rm(directory, { recursive: true }));
    const module = join(directory, 'board.mjs');
    await writeFile(module, adapter);
    const sections = { github: { base_url: gitHub.url, repositories: ['octo/hello'] }, board: { module } };
    const error = await connect(sections).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ConfigError);
    expect(String(error)).toMatch(/platforms\.github and platforms\.board have the same host/);
  });
});
