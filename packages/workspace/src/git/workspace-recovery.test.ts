import { execFile } from 'node:child_process';
import { lchown, mkdir, readdir, readFile, rm, stat, symlink, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startWorkspaceBed, type WorkspaceBed } from '../testing/workspace-bed.ts';
import type { TaskWorkspace } from '../worktrees/task-workspace.ts';

let bed: WorkspaceBed;

beforeEach(async () => {
  bed = await startWorkspaceBed();
});

afterEach(() => bed.close());

/** Opens the same task as a new process would. */
function open(uuid = 'run-1'): Promise<TaskWorkspace> {
  return bed.workspaces().open(bed.task({ uuid }));
}

async function gitDirectoryOf(workspace: TaskWorkspace): Promise<string> {
  return join(workspace.gitDirectories[0] ?? '', 'worktrees', 'run-1');
}

describe('a workspace that a killed process left', () => {
  it('keeps commits and uncommitted changes', async () => {
    const before = await open();
    await writeFile(join(before.path, 'committed.txt'), 'x');
    const commit = await before.commitAll(() => 'kept');
    await writeFile(join(before.path, 'README.md'), 'changed\n');
    const after = await open();
    expect(after.state).toBe('reused');
    expect(await readFile(join(after.path, 'README.md'), 'utf8')).toBe('changed\n');
    expect(await after.commitAll(() => 'second')).not.toBeNull();
    const { sha } = await after.push();
    expect(await bed.server.git('acme/shop', 'rev-parse', `${sha}^`)).toBe(commit?.sha);
  });

  it('commits under the same subject however far the earlier commit came', async () => {
    const before = await open();
    await writeFile(join(before.path, 'README.md'), 'changed\n');
    await writeFile(join(before.path, 'LOG.md'), 'new\n');
    const place = [`--git-dir=${await gitDirectoryOf(before)}`, `--work-tree=${before.path}`];
    await promisify(execFile)('git', [...place, 'add', '--all']);
    const after = await open();
    const named: (readonly string[])[] = [];
    await after.commitAll((paths) => {
      named.push(paths);
      return 'once';
    });
    expect(named).toEqual([['README.md', 'LOG.md']]);
  });

  it('loses stale locks, in the worktree and in the copy', async () => {
    const before = await open();
    const mirror = before.gitDirectories[0] ?? '';
    await writeFile(join(await gitDirectoryOf(before), 'index.lock'), '');
    await writeFile(join(mirror, 'packed-refs.lock'), '');
    await mkdir(join(mirror, 'refs/heads/agent'), { recursive: true });
    await writeFile(join(mirror, 'refs/heads/agent/issue-1-fix.lock'), '');
    const after = await open();
    await writeFile(join(after.path, 'README.md'), 'changed\n');
    expect(await after.commitAll(() => 'goes')).not.toBeNull();
  });

  it('loses files that were in the making, in the worktree and in the copy [RL-9]', {
    tags: ['full'],
  }, async () => {
    const before = await open();
    const mirror = before.gitDirectories[0] ?? '';
    const name = '.agent-write-1.tmp';
    const made = [join(before.path, name), join(before.path, 'src', name), join(mirror, 'info', name)];
    await Promise.all([...made, join(before.path, 'mine.tmp')].map((path) => writeFile(path, 'half')));
    const after = await open();
    for (const path of made) await expect(stat(path)).rejects.toThrow('ENOENT');
    await after.commitAll(() => 'kept');
    expect(await after.changedFiles()).toEqual([{ path: 'mine.tmp', change: 'added' }]);
  });

  it('gets a new index when its own is broken or gone', { tags: ['full'] }, async () => {
    for (const breakIndex of [(path: string) => writeFile(path, 'nonsense'), unlink]) {
      const before = await open();
      await writeFile(join(before.path, 'README.md'), `changed ${Math.random()}\n`);
      await breakIndex(join(await gitDirectoryOf(before), 'index'));
      const after = await open();
      await after.commitAll(() => 'repaired');
      expect(await after.changedFiles()).toEqual([{ path: 'README.md', change: 'modified' }]);
    }
  });

  it('is made anew when it was never finished', async () => {
    const before = await open();
    const mirror = before.gitDirectories[0] ?? '';
    await rm(join(mirror, 'refs/starts'), { recursive: true });
    await rm(join(before.path, 'src/a.txt'));
    const after = await open();
    expect(after.state).toBe('created');
    expect(await readFile(join(after.path, 'src/a.txt'), 'utf8')).toBe('one\ntwo\n');
  });

  it('is checked out again, with its commits, when only its files are gone', async () => {
    const before = await open();
    await writeFile(join(before.path, 'committed.txt'), 'x');
    await before.commitAll(() => 'kept');
    await rm(before.path, { recursive: true });
    const after = await open();
    expect(await readFile(join(after.path, 'committed.txt'), 'utf8')).toBe('x');
    expect(await after.hasCommits({ since: 'start' })).toBe(true);
  });

  it('gets its git directory back when only that is gone', async () => {
    const before = await open();
    await writeFile(join(before.path, 'README.md'), 'changed\n');
    await rm(await gitDirectoryOf(before), { recursive: true });
    await rm(join(before.path, '.git'));
    const after = await open();
    await after.commitAll(() => 'repaired');
    expect(await after.changedFiles()).toEqual([{ path: 'README.md', change: 'modified' }]);
  });

  it('starts from the server again under a new id, and keeps what the dead run had committed', {
    tags: ['full'],
  }, async () => {
    const before = await open();
    await writeFile(join(before.path, 'committed.txt'), 'x');
    const commit = await before.commitAll(() => 'never pushed');
    const after = await open('run-2');
    expect(await readdir(after.path)).not.toContain('committed.txt');
    const mirror = after.gitDirectories[0] ?? '';
    expect(await readdir(join(mirror, 'refs/kept/agent/issue-1-fix'))).toEqual([commit?.sha]);
  });

  it('is put in order when its files were replaced by links', async () => {
    const before = await open();
    const outside = join(bed.directory, 'outside');
    await mkdir(outside);
    await rm(join(await gitDirectoryOf(before), 'HEAD'));
    await writeFile(join(outside, 'HEAD'), 'mine');
    await symlink(join(outside, 'HEAD'), join(await gitDirectoryOf(before), 'HEAD'));
    const after = await open();
    await writeFile(join(after.path, 'README.md'), 'changed\n');
    expect(await after.commitAll(() => 'goes')).not.toBeNull();
    expect(await readFile(join(outside, 'HEAD'), 'utf8')).toBe('mine');
  });

  it('is used also when its files belong to another user', { tags: ['full'] }, async () => {
    const before = await open();
    await writeFile(join(before.path, 'README.md'), 'changed\n');
    // Only root can give files away; for anybody else they stay their own, which must work as well.
    const owner = process.getuid?.() === 0 ? 65534 : (process.getuid?.() ?? 0);
    const kept = join(bed.directory, 'kept');
    for (const name of await readdir(kept, { recursive: true })) await lchown(join(kept, name), owner, -1);
    const after = await open();
    await after.commitAll(() => 'changed');
    expect(await after.push()).toHaveProperty('sha');
  });
});
