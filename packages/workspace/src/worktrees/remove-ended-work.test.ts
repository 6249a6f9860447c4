import { mkdir, readdir, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startWorkspaceBed, type WorkspaceBed } from '../testing/workspace-bed.ts';
import { type RemoveEndedWorkOptions, removeEndedWork } from './remove-ended-work.ts';
import type { TaskWorkspace } from './task-workspace.ts';

let bed: WorkspaceBed;
beforeEach(async () => {
  bed = await startWorkspaceBed();
});
afterEach(() => bed.close());

const remove = (options: Pick<RemoveEndedWorkOptions, 'mayGo' | 'commitsBefore'>) =>
  removeEndedWork({ directory: join(bed.directory, 'kept'), environment: process.env, ...options });

const open = (uuid: string, branch: string): Promise<TaskWorkspace> =>
  bed.workspaces().open(bed.task({ uuid, branch }));

const listRefs = async ({ gitDirectories: [mirror = ''] }: TaskWorkspace): Promise<string[]> => {
  const { execFileSync } = await import('node:child_process');
  const args = ['for-each-ref', '--format=%(refname)', 'refs/heads', 'refs/starts', 'refs/kept'];
  return execFileSync('git', ['-C', mirror, ...args], { encoding: 'utf8' })
    .split('\n')
    .filter(Boolean);
};

it('removes worktree, start and branch of a run, pushed or not, and leaves all of the others [NX-62]', {
  tags: ['full'],
}, async () => {
  const ended = await open('run-1', 'agent/1');
  await writeFile(join(ended.path, 'new.txt'), 'x');
  await ended.commitAll(() => 'never pushed');
  const other = await open('run-2', 'agent/2');
  expect(await remove({ mayGo: ({ uuid }) => uuid === 'run-1' })).toEqual(['run-1']);
  await expect(stat(ended.path)).rejects.toThrow('ENOENT');
  expect(await listRefs(other)).toEqual(['refs/heads/agent/2', 'refs/starts/run-2']);
  expect(await readdir(join(other.gitDirectories[0] ?? '', 'worktrees'))).toEqual(['run-2']);
  expect((await open('run-2', 'agent/2')).state).toBe('reused');
  expect(await remove({ mayGo: ({ uuid }) => uuid === 'run-1' })).toEqual([]);
});

it('keeps a branch that another run is on, and tells how old a worktree is [NX-62]', async () => {
  const ended = await open('run-1', 'agent/1');
  await bed.workspaces().remove(bed.task({ uuid: 'run-0', branch: 'agent/0' }));
  const mirror = ended.gitDirectories[0] ?? '';
  for (const name of ['.', 'index', 'logs/HEAD'])
    await utimes(join(mirror, 'worktrees/run-1', name), 1_000, 1_000).catch(() => undefined);
  const ages = new Map<string, number>();
  await remove({ mayGo: ({ uuid, changedAt }) => ages.set(uuid, changedAt) === undefined });
  expect(ages).toEqual(new Map([['run-1', 1_000_000]]));
  await open('run-2', 'agent/1');
  await remove({ mayGo: ({ uuid }) => uuid === 'run-1' });
  expect(await listRefs(ended)).toEqual(['refs/heads/agent/1', 'refs/starts/run-2']);
});

it('removes what a branch held before a later run of the same task moved it, once nobody is on it [NX-62]', {
  tags: ['full'],
}, async () => {
  const ended = await open('run-1', 'agent/1');
  await writeFile(join(ended.path, 'new.txt'), 'x');
  const { sha } = (await ended.commitAll(() => 'never pushed')) ?? {};
  await open('run-2', 'agent/1');
  const kept = `refs/kept/agent/1/${sha}`;
  await remove({ mayGo: ({ uuid }) => uuid === 'run-1' });
  expect(await listRefs(ended)).toEqual(['refs/heads/agent/1', kept, 'refs/starts/run-2']);
  await remove({ mayGo: () => true });
  expect(await listRefs(ended)).toEqual([]);
});

it('removes commits that no worktree is at when they are old enough, and runs without a directory for them [NX-62]', {
  tags: ['full'],
}, async () => {
  const ended = await open('run-1', 'agent/1');
  await writeFile(join(ended.path, 'new.txt'), 'x');
  await ended.commitAll(() => 'never pushed');
  await bed.workspaces().remove(bed.task({ uuid: 'run-1', branch: 'agent/1' }));
  expect(await listRefs(ended)).toEqual(['refs/heads/agent/1']);
  await remove({ mayGo: () => true, commitsBefore: 0 });
  expect(await listRefs(ended)).toEqual(['refs/heads/agent/1']);
  await remove({ mayGo: () => true, commitsBefore: Date.parse('2100-01-01') });
  expect(await listRefs(ended)).toEqual([]);
});

it('has nothing to do where no workspace was ever made', async () => {
  expect(await remove({ mayGo: () => true })).toEqual([]);
});

it('removes what an agent kept of a run whose worktree may go, and leaves that of others [NX-279]', async () => {
  await open('run-1', 'agent/1');
  const toHome = (uuid: string) => join(bed.directory, 'kept', `.agent-session-${uuid}`);
  for (const uuid of ['run-1', 'run-2']) await mkdir(join(toHome(uuid), 'tmp'), { recursive: true });
  await remove({ mayGo: ({ uuid }) => uuid === 'run-1' });
  await expect(stat(toHome('run-1'))).rejects.toThrow('ENOENT');
  expect((await stat(toHome('run-2'))).isDirectory()).toBe(true);
});
