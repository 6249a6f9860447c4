import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type GitServer, startGitServer } from '../../test/git-server.ts';
import { createGitWorkspaces } from './git-workspaces.ts';
import type { WorkspaceTask } from './workspace-task.ts';

const token = 'ghp_secret0123456789';
let server: GitServer;
let directory: string;
let cloneUrl: string;

beforeEach(async () => {
  server = await startGitServer({ token });
  directory = await mkdtemp(join(tmpdir(), 'workspaces-'));
  cloneUrl = await server.addRepository('acme/shop', { 'README.md': 'shop\n', 'src/a.txt': 'one\ntwo\n' });
});

afterEach(async () => {
  await server.close();
  await rm(directory, { recursive: true, force: true });
});

function workspaces(options: { token?: string | null; timeoutMs?: number } = {}) {
  return createGitWorkspaces({
    directory,
    token: () => (options.token === undefined ? token : options.token),
    authorName: 'Agent',
    authorEmail: 'agent@example.com',
    now: () => Date.parse('2026-01-02T03:04:05Z'),
    timeoutMs: options.timeoutMs ?? 20_000,
  });
}

function task(change: Partial<WorkspaceTask> = {}): WorkspaceTask {
  return {
    uuid: 'run-1',
    host: server.host,
    repositoryPath: 'acme/shop',
    cloneUrl,
    branch: 'agent/issue-1-fix',
    baseBranch: 'main',
    ...change,
  };
}

describe('a workspace', () => {
  it('begins at the base branch, commits and pushes what changed', async () => {
    const workspace = await workspaces().open(task());
    expect(await readFile(join(workspace.path, 'README.md'), 'utf8')).toBe('shop\n');
    expect(await workspace.hasCommits()).toBe(false);
    await writeFile(join(workspace.path, 'README.md'), 'shop 2\n');
    await rm(join(workspace.path, 'src/a.txt'));
    await writeFile(join(workspace.path, '日本 語"\n🎉.txt'), 'a\nb\n');
    const commit = await workspace.commitAll('Fix it\n\nBecause.');
    expect(await workspace.hasCommits()).toBe(true);
    expect(await workspace.diffStat()).toEqual({ files: 3, insertions: 3, deletions: 3 });
    expect(await workspace.changedFiles()).toEqual([
      { path: 'README.md', change: 'modified' },
      { path: 'src/a.txt', change: 'deleted' },
      { path: '日本 語"\n🎉.txt', change: 'added' },
    ]);
    expect(await workspace.push()).toEqual({ sha: commit?.sha });
    expect(await server.git('acme/shop', 'log', '-1', '--format=%an <%ae> %cI %B', 'agent/issue-1-fix')).toBe(
      'Agent <agent@example.com> 2026-01-02T03:04:05+00:00 Fix it\n\nBecause.',
    );
  });

  it('makes no commit when nothing changed', async () => {
    const workspace = await workspaces().open(task());
    expect(await workspace.commitAll('nothing')).toBeNull();
  });

  it('pushes twice without harm', async () => {
    const workspace = await workspaces().open(task());
    await writeFile(join(workspace.path, 'new.txt'), 'x');
    await workspace.commitAll('one');
    expect(await workspace.push()).toEqual(await workspace.push());
  });

  it('goes on from the branch that the server has already', async () => {
    await server.commit('acme/shop', { branch: 'agent/issue-1-fix', files: { 'earlier.txt': 'before\n' } });
    const workspace = await workspaces().open(task());
    expect(await readFile(join(workspace.path, 'earlier.txt'), 'utf8')).toBe('before\n');
    expect(await workspace.hasCommits()).toBe(true);
    expect(await workspace.hasCommits({ since: 'start' })).toBe(false);
  });

  it('lets several tasks of one repository open at once', async () => {
    const open = workspaces();
    const opened = await Promise.all(
      [1, 2, 3, 4].map((number) => open.open(task({ uuid: `run-${number}`, branch: `agent/${number}` }))),
    );
    const texts = opened.map(({ path }) => readFile(join(path, 'README.md'), 'utf8'));
    expect(await Promise.all(texts)).toEqual(['shop\n', 'shop\n', 'shop\n', 'shop\n']);
  });

  it('leaves out repositories that a tool made inside it, and runs nothing of theirs', async () => {
    const workspace = await workspaces().open(task());
    const nested = join(workspace.path, 'inner');
    const { execFileSync } = await import('node:child_process');
    execFileSync('git', ['init', '--quiet', nested]);
    execFileSync('git', ['-C', nested, 'config', 'core.fsmonitor', `touch ${directory}/ran; false`]);
    await writeFile(join(nested, 'x.txt'), 'x');
    await writeFile(join(workspace.path, 'outer.txt'), 'x');
    await workspace.commitAll('outer only');
    expect(await workspace.changedFiles()).toEqual([{ path: 'outer.txt', change: 'added' }]);
    await expect(stat(join(directory, 'ran'))).rejects.toThrow('ENOENT');
  });

  it('is removed with everything that was pushed, and can be opened anew', async () => {
    const open = workspaces();
    const workspace = await open.open(task());
    await writeFile(join(workspace.path, 'new.txt'), 'x');
    await workspace.commitAll('one');
    await workspace.push();
    await workspace.remove();
    await expect(stat(workspace.path)).rejects.toThrow('ENOENT');
    expect((await open.open(task())).state).toBe('created');
  });
});

describe('a push', () => {
  it('puts our commits on top of what somebody else pushed meanwhile', async () => {
    const workspace = await workspaces().open(task());
    await writeFile(join(workspace.path, 'ours.txt'), 'ours\n');
    await workspace.commitAll('ours');
    const theirs = await server.commit('acme/shop', {
      branch: 'agent/issue-1-fix',
      files: { 'theirs.txt': 't\n' },
    });
    const { sha } = await workspace.push();
    expect(await server.git('acme/shop', 'rev-parse', `${sha}^`)).toBe(theirs);
    expect(await readFile(join(workspace.path, 'theirs.txt'), 'utf8')).toBe('t\n');
  });

  it('that conflicts is refused with what to do, and keeps our commits and files', async () => {
    const workspace = await workspaces().open(task());
    await writeFile(join(workspace.path, 'README.md'), 'ours\n');
    await workspace.commitAll('ours');
    await server.commit('acme/shop', { branch: 'agent/issue-1-fix', files: { 'README.md': 'theirs\n' } });
    await expect(workspace.push()).rejects.toMatchObject({
      code: 'push-rejected',
      message: expect.stringContaining('start the task again'),
    });
    expect(await workspace.hasCommits({ since: 'start' })).toBe(true);
    expect(await readFile(join(workspace.path, 'README.md'), 'utf8')).toBe('ours\n');
    expect(await workspace.commitAll('nothing left')).toBeNull();
  });

  it('that a hook of the server refuses says what the server said', async () => {
    const workspace = await workspaces().open(task());
    await writeFile(join(workspace.path, 'new.txt'), 'x');
    await workspace.commitAll('one');
    const hook = join(await server.git('acme/shop', 'rev-parse', '--absolute-git-dir'), 'hooks/pre-receive');
    await writeFile(hook, '#!/bin/sh\necho GH006: protected branch; exit 1\n', { mode: 0o755 });
    await expect(workspace.push()).rejects.toMatchObject({
      code: 'push-rejected',
      message: expect.stringContaining('GH006'),
    });
  });
});

describe('opening fails with what to do', () => {
  it('for a repository without commits', async () => {
    const empty = await server.addRepository('acme/empty', null);
    await expect(
      workspaces().open(task({ repositoryPath: 'acme/empty', cloneUrl: empty })),
    ).rejects.toMatchObject({
      code: 'empty-repository',
      message: expect.stringContaining('Push a first commit'),
    });
  });

  it('for a wrong and a missing token, and never repeats the token', async () => {
    for (const wrong of ['ghp_wrong', null]) {
      const failure = await workspaces({ token: wrong })
        .open(task())
        .catch((error: unknown) => error);
      expect(failure).toMatchObject({
        code: 'unauthorized',
        message: expect.stringContaining('Set a valid token'),
      });
      expect(String(failure)).not.toContain('ghp_wrong');
    }
  });

  it('for an unknown repository, a server that is down and one that fails', async () => {
    await expect(
      workspaces().open(task({ cloneUrl: `${server.url}/acme/nothing.git` })),
    ).rejects.toMatchObject({ code: 'not-found' });
    await expect(workspaces().open(task({ cloneUrl: 'http://127.0.0.1:9/x/y.git' }))).rejects.toMatchObject({
      code: 'unavailable',
    });
    server.intercept = async () => ({ status: 502 });
    await expect(workspaces().open(task())).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('for a missing branch', async () => {
    await expect(workspaces().open(task({ branchMustExist: true }))).rejects.toMatchObject({
      code: 'not-found',
    });
    await expect(workspaces().open(task({ baseBranch: 'trunk' }))).rejects.toMatchObject({
      code: 'not-found',
    });
  });

  it('for a git that is not there', async () => {
    const open = createGitWorkspaces({
      directory,
      token: () => token,
      authorName: 'A',
      authorEmail: 'a@example.com',
      gitPath: '/nowhere/git',
    });
    await expect(open.open(task())).rejects.toMatchObject({ code: 'git-missing' });
  });

  it.each([
    { uuid: '../x' },
    { uuid: '' },
    { branch: '-x' },
    { branch: 'a..b' },
    { repositoryPath: '../..' },
    { repositoryPath: 'one' },
    { cloneUrl: 'ext::sh -c touch% /tmp/x' },
    { cloneUrl: 'http://user:pass@127.0.0.1/x.git' },
  ])('for a task whose parts could lead elsewhere: %o', async (change) => {
    const failure = await workspaces()
      .open(task(change))
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'invalid' });
    expect(String(failure)).not.toContain('pass@');
  });
});

describe('time', () => {
  it('ends a git that the server keeps waiting', async () => {
    server.intercept = () => new Promise(() => undefined);
    await expect(workspaces({ timeoutMs: 300 }).open(task())).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('ends at once when the signal says so', async () => {
    const controller = new AbortController();
    server.intercept = async () => {
      controller.abort(new Error('shutting down'));
      return new Promise(() => undefined);
    };
    await expect(workspaces().open(task(), { signal: controller.signal })).rejects.toThrow('shutting down');
  });
});
