import { execFile } from 'node:child_process';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { createOutgoingGate } from '@agent/text/outgoing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGitWorkspaces } from '../worktrees/git-workspaces.ts';
import type { GitWorkspacesOptions } from '../worktrees/workspaces-options.ts';
import type { WorkspaceTask } from './workspace-task.ts';

const run = promisify(execFile);
let directory: string;
let repository: string;

const git = async (...args: string[]) => (await run('git', ['-C', repository, ...args])).stdout.trim();

beforeEach(async () => {
  directory = await realpath(await mkdtemp(join(tmpdir(), 'local-repository-')));
  repository = join(directory, 'ship log');
  await run('git', ['init', '--quiet', '--initial-branch=main', repository]);
  await writeFile(join(repository, 'a.txt'), 'one\n');
  await git('add', '.');
  await git('-c', 'user.name=Ann', '-c', 'user.email=ann@example.com', 'commit', '--quiet', '-m', 'first');
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const workspaces = (options: Partial<GitWorkspacesOptions> = {}) =>
  createGitWorkspaces({
    directory: join(directory, 'kept'),
    token: () => {
      throw new Error('a repository on this machine is never asked for with a token');
    },
    gate: createOutgoingGate({ secrets: [], places: [] }),
    authorName: 'Agent',
    authorEmail: 'agent@example.com',
    localRepositories: true,
    ...options,
  });

const task = (change: Partial<WorkspaceTask> = {}): WorkspaceTask => ({
  uuid: 'run-1',
  host: 'notes',
  repositoryPath: 'local/ship',
  cloneUrl: repository,
  branch: 'agent/issue-1-fix',
  baseBranch: 'main',
  ...change,
});

describe('a repository on this machine', () => {
  it.each([
    ['a path', () => repository],
    ['a file: URL', () => pathToFileURL(repository).href],
  ])('is fetched from and pushed to by %s, and its own files stay as they are [NX-9]', async (_, address) => {
    const workspace = await workspaces().open(task({ cloneUrl: address() }));
    await writeFile(join(workspace.path, 'a.txt'), 'two\n');
    await workspace.commitAll(() => 'change');
    const { sha } = await workspace.push();
    expect(await git('rev-parse', 'agent/issue-1-fix')).toBe(sha);
    expect(await git('status', '--porcelain')).toBe('');
    expect(await git('show', 'main:a.txt')).toBe('one');
  });

  it('keeps a branch that somebody has checked out there, and says so [NX-9]', async () => {
    const workspace = await workspaces().open(task());
    await writeFile(join(workspace.path, 'a.txt'), 'two\n');
    await workspace.commitAll(() => 'change');
    await git('checkout', '--quiet', '-b', 'agent/issue-1-fix');
    await expect(workspace.push()).rejects.toMatchObject({
      code: 'push-rejected',
      message: expect.stringContaining('checked out in the repository itself: check out another one there'),
    });
    expect(await git('show', 'HEAD:a.txt')).toBe('one');
  });

  it('is refused unless it was allowed: no server may name a path of ours [NX-9]', async () => {
    for (const cloneUrl of [repository, pathToFileURL(repository).href]) {
      await expect(workspaces({ localRepositories: false }).open(task({ cloneUrl }))).rejects.toMatchObject({
        code: 'invalid',
        message: expect.stringContaining('expected an http(s) address.'),
      });
    }
  });

  it.each([
    'ship log',
    './ship',
    'file://elsewhere/ship',
    'ext::sh -c id',
    'ssh://host/ship',
    '--upload-pack=id',
  ])('is refused under the address %s', async (cloneUrl) => {
    await expect(workspaces().open(task({ cloneUrl }))).rejects.toMatchObject({ code: 'invalid' });
  });

  it('is missed with a word on what to check', async () => {
    await expect(workspaces().open(task({ cloneUrl: join(directory, 'nowhere') }))).rejects.toMatchObject({
      code: 'not-found',
      message: expect.stringContaining('check the path that the adapter gives'),
    });
  });
});
