import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startWorkspaceBed, type WorkspaceBed } from '../testing/workspace-bed.ts';
import type { WorkspaceTask } from './workspace-task.ts';

let bed: WorkspaceBed;

beforeEach(async () => {
  bed = await startWorkspaceBed();
});

afterEach(() => bed.close());

function taskOf(number: number): WorkspaceTask {
  return bed.task({ uuid: `run-${number}`, branch: `agent/${number}` });
}

/** How often git has asked the server what it has. */
function countFetches(): () => number {
  let fetches = 0;
  bed.server.intercept = async ({ url, headers }) => {
    if (url?.includes('service=git-upload-pack') && headers.authorization !== undefined) fetches += 1;
    return null;
  };
  return () => fetches;
}

describe('tasks of one repository that open at once', () => {
  it('share a fetch', { tags: ['full'] }, async () => {
    const fetches = countFetches();
    const workspaces = bed.workspaces();
    const opened = await Promise.all([1, 2, 3, 4, 5].map((number) => workspaces.open(taskOf(number))));
    expect(new Set(opened.map(({ path }) => path)).size).toBe(5);
    expect(fetches()).toBe(1);
  });

  it('begin with what the server had when they asked, also while another fetches', async () => {
    const workspaces = bed.workspaces();
    const fetching = Promise.withResolvers<void>();
    const pushed = Promise.withResolvers<void>();
    let posts = 0;
    bed.server.intercept = async ({ method }) => {
      if (method === 'POST') posts += 1;
      // With its second POST git asks for the commits: it has learnt by then which ones there are.
      if (method !== 'POST' || posts !== 2) return null;
      fetching.resolve();
      await pushed.promise;
      return null;
    };
    const first = workspaces.open(taskOf(1));
    await fetching.promise;
    await bed.server.commit('acme/shop', { branch: 'main', files: { 'later.txt': 'later\n' } });
    const second = workspaces.open(taskOf(2));
    pushed.resolve();
    expect(await readdir((await first).path)).not.toContain('later.txt');
    expect(await readFile(join((await second).path, 'later.txt'), 'utf8')).toBe('later\n');
  });

  it('do not stop each other when one is told to end', async () => {
    const workspaces = bed.workspaces();
    const controller = new AbortController();
    bed.server.intercept = async () => {
      controller.abort(new Error('shutting down'));
      return null;
    };
    const [ended, others] = [
      workspaces.open(taskOf(1), { signal: controller.signal }),
      [2, 3].map((number) => workspaces.open(taskOf(number))),
    ];
    await expect(ended).rejects.toThrow('shutting down');
    expect((await Promise.all(others)).map(({ state }) => state)).toEqual(['created', 'created']);
  });

  it('make no worktree twice, and leave the branch whole, when they are the same task', async () => {
    const workspaces = bed.workspaces();
    const opened = await Promise.all([workspaces.open(taskOf(1)), workspaces.open(taskOf(1))]);
    expect(opened.map(({ state }) => state)).toEqual(['created', 'reused']);
    expect(await opened[0]?.hasCommits()).toBe(false);
  });

  it('can be opened and removed side by side', { tags: ['full'] }, async () => {
    const workspaces = bed.workspaces();
    await Promise.all([1, 2].map((number) => workspaces.open(taskOf(number))));
    const [third] = await Promise.all([
      workspaces.open(taskOf(3)),
      workspaces.remove(taskOf(1)),
      workspaces.remove(taskOf(2)),
    ]);
    expect(await readdir(join(third.homesDirectory, 'worktrees'))).toEqual(['run-3']);
    expect(await readFile(join(third.path, 'README.md'), 'utf8')).toBe('shop\n');
  });
});
