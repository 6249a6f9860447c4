import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '@agent/workspace';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readJob } from './run-job.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'read-job-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

async function write(payload: unknown): Promise<string> {
  const path = join(directory, 'event.json');
  await writeFile(path, typeof payload === 'string' ? payload : JSON.stringify(payload));
  return path;
}

const gitHub = async (payload: unknown, name = 'issue_comment') =>
  readJob({ GITHUB_ACTIONS: 'true', GITHUB_EVENT_NAME: name, GITHUB_EVENT_PATH: await write(payload) });

const gitLab = async (payload: unknown, more: Environment = {}) =>
  readJob({ GITLAB_CI: 'true', TRIGGER_PAYLOAD: await write(payload), ...more });

const repository = {
  full_name: 'acme/shop',
  html_url: 'https://github.com/acme/shop',
  clone_url: 'https://github.com/acme/shop.git',
  private: true,
};
const sender = { login: 'alice', type: 'User' };

const project = {
  path_with_namespace: 'acme/group/shop',
  web_url: 'https://gitlab.example.com/acme/group/shop',
  git_http_url: 'https://gitlab.example.com/acme/group/shop.git',
  visibility_level: 0,
};

describe('readJob', () => {
  it('reads a comment on an issue and on a pull request of GitHub', async () => {
    const issue = { number: 42, html_url: 'https://github.com/acme/shop/issues/42' };
    const comment = { body: 'Hello.' };
    const payload = { action: 'created', repository, sender, issue, comment };
    expect(await gitHub(payload)).toEqual({
      platform: 'github',
      name: 'issue_comment',
      action: 'created',
      repository: {
        path: 'acme/shop',
        serverUrl: 'https://github.com',
        apiUrl: 'https://api.github.com',
        cloneUrl: 'https://github.com/acme/shop.git',
        isPublic: false,
      },
      thread: { kind: 'issue', number: 42, url: issue.html_url, branch: null, isFromFork: false },
      actor: { login: 'alice', isBot: false },
      text: 'Hello.',
    });
    const onRequest = { ...payload, issue: { ...issue, pull_request: {} } };
    expect((await gitHub(onRequest)).thread).toMatchObject({ kind: 'request', isFromFork: null });
  });

  it('reads a review, and recognizes a fork, one that is gone included', async () => {
    const pull = { number: 57, html_url: 'https://github.com/acme/shop/pull/57' };
    const review = (head: object) => ({
      ...{ action: 'submitted', repository, sender, review: { body: null } },
      pull_request: { ...pull, head: { ref: 'agent/issue-42-x', ...head } },
    });
    const threadOf = async (head: object) => (await gitHub(review(head), 'pull_request_review')).thread;
    const own = { kind: 'request', number: 57, url: pull.html_url, branch: 'agent/issue-42-x' };
    expect(await threadOf({ repo: { full_name: 'Acme/Shop' } })).toEqual({ ...own, isFromFork: false });
    expect(await threadOf({ repo: { full_name: 'bob/shop' } })).toEqual({ ...own, isFromFork: true });
    expect(await threadOf({ repo: null })).toEqual({ ...own, isFromFork: true });
  });

  it('reads the thread of workflow_dispatch, in this repository alone', async () => {
    const named = async (thread: string) =>
      (await gitHub({ repository, sender, inputs: { thread } }, 'workflow_dispatch')).thread?.url ?? null;
    expect(await named('https://github.com/acme/shop/issues/42')).toBe(
      'https://github.com/acme/shop/issues/42',
    );
    expect(await named('https://github.com/Acme/Shop/pull/57/')).toBe('https://github.com/acme/shop/pull/57');
    expect(await named('#42')).toBe('https://github.com/acme/shop/issues/42');
    for (const other of ['', 'https://github.com/acme/other/issues/42', '42; rm', '../42'])
      expect(await named(other)).toBeNull();
  });

  it('reads a note, an issue and a merge request of GitLab, and knows system notes and bots', async () => {
    const user = { username: 'alice' };
    const note = { object_kind: 'note', project, user, object_attributes: { note: 'Hello.' } };
    const onIssue = await gitLab({ ...note, issue: { iid: 42 } });
    const url = 'https://gitlab.example.com/acme/group/shop/-/issues/42';
    expect(onIssue).toMatchObject({
      name: 'note',
      text: 'Hello.',
      thread: { kind: 'issue', number: 42, url },
    });
    expect(onIssue.repository).toMatchObject({ path: 'acme/group/shop', isPublic: false });
    const request = {
      iid: 57,
      source_branch: 'agent/issue-42-x',
      source_project_id: 1,
      target_project_id: 1,
    };
    expect((await gitLab({ ...note, merge_request: request })).thread).toMatchObject({
      ...{ kind: 'request', number: 57, branch: 'agent/issue-42-x', isFromFork: false },
    });
    const fork = { ...request, source_project_id: 2 };
    const event = {
      object_kind: 'merge_request',
      project,
      user,
      object_attributes: { action: 'open', ...fork },
    };
    expect((await gitLab(event)).thread).toMatchObject({ isFromFork: true });
    const issue = { object_kind: 'issue', project, user, object_attributes: { action: 'open', iid: 42 } };
    expect(await gitLab(issue)).toMatchObject({ name: 'issue', action: 'open', thread: { url } });
    const system = { ...note, object_attributes: { note: 'closed', system: true } };
    expect((await gitLab(system)).name).toBe('system note');
    const bot = { ...issue, user: { username: 'project_7_bot_0123456789abcdef' } };
    expect((await gitLab(bot)).actor.isBot).toBe(true);
    for (const visibility_level of [10, 20])
      expect(
        (await gitLab({ ...issue, project: { ...project, visibility_level } })).repository.isPublic,
      ).toBe(true);
  });

  it('reads the thread of a pipeline that was started by hand', async () => {
    const pipeline = {
      ...{ GITLAB_CI: 'true', CI_PROJECT_PATH: 'acme/shop', CI_PROJECT_VISIBILITY: 'private' },
      ...{
        CI_SERVER_URL: 'https://gitlab.example.com',
        CI_PROJECT_URL: 'https://gitlab.example.com/acme/shop',
      },
    };
    const named = (thread: string) => readJob({ ...pipeline, AGENT_THREAD: thread });
    const url = 'https://gitlab.example.com/acme/shop/-/merge_requests/57';
    expect(await named(url)).toMatchObject({ name: 'manual', thread: { kind: 'request', number: 57, url } });
    expect((await named('https://gitlab.example.com/acme/other/-/issues/1')).thread).toBeNull();
  });

  it('explains what is missing', async () => {
    await expect(readJob({})).rejects.toThrow('This is not a job of GitHub Actions or GitLab CI.');
    await expect(readJob({ GITLAB_CI: 'true' })).rejects.toThrow('was not started by a webhook');
    await expect(readJob({ GITHUB_ACTIONS: 'true' })).rejects.toThrow(
      'GITHUB_EVENT_PATH does not name a file',
    );
    await expect(gitHub('{')).rejects.toThrow('GITHUB_EVENT_PATH does not name a file');
    await expect(gitHub({ sender })).rejects.toThrow(
      'GITHUB_EVENT_PATH is not the payload of a webhook: repository',
    );
    await expect(gitLab([])).rejects.toThrow('TRIGGER_PAYLOAD is not the payload of a webhook');
  });
});
