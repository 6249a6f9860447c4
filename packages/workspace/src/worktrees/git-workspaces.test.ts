import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startWorkspaceBed, type WorkspaceBed } from '../testing/workspace-bed.ts';

let bed: WorkspaceBed;

beforeEach(async () => {
  bed = await startWorkspaceBed();
});

afterEach(() => bed.close());

describe('a workspace', () => {
  it('begins at the base branch, commits and pushes what changed', async () => {
    const workspace = await bed.workspaces().open(bed.task());
    expect(await readFile(join(workspace.path, 'README.md'), 'utf8')).toBe('shop\n');
    expect(await workspace.hasCommits()).toBe(false);
    await writeFile(join(workspace.path, 'README.md'), 'shop 2\n');
    await rm(join(workspace.path, 'src/a.txt'));
    await writeFile(join(workspace.path, '日本 語"\n🎉.txt'), 'a\nb\n');
    const commit = await workspace.commitAll(() => 'Fix it\n\nBecause.');
    expect(await workspace.hasCommits()).toBe(true);
    expect(await workspace.diffStat()).toEqual({ files: 3, insertions: 3, deletions: 3 });
    expect(await workspace.changedFiles()).toEqual([
      { path: 'README.md', change: 'modified' },
      { path: 'src/a.txt', change: 'deleted' },
      { path: '日本 語"\n🎉.txt', change: 'added' },
    ]);
    expect(await workspace.push()).toEqual({ sha: commit?.sha });
    expect(
      await bed.server.git('acme/shop', 'log', '-1', '--format=%an <%ae> %cI %B', 'agent/issue-1-fix'),
    ).toBe('Agent <agent@example.com> 2026-01-02T03:04:05+00:00 Fix it\n\nBecause.');
  });

  it('makes no commit when nothing changed', async () => {
    const workspace = await bed.workspaces().open(bed.task());
    expect(await workspace.commitAll(() => 'nothing')).toBeNull();
  });

  it('pushes twice without harm', async () => {
    const workspace = await bed.workspaces().open(bed.task());
    await writeFile(join(workspace.path, 'new.txt'), 'x');
    await workspace.commitAll(() => 'one');
    expect(await workspace.push()).toEqual(await workspace.push());
  });

  it('goes on from the branch that the server has already', async () => {
    await bed.server.commit('acme/shop', {
      branch: 'agent/issue-1-fix',
      files: { 'earlier.txt': 'before\n' },
    });
    const workspace = await bed.workspaces().open(bed.task());
    expect(await readFile(join(workspace.path, 'earlier.txt'), 'utf8')).toBe('before\n');
    expect(await workspace.hasCommits()).toBe(true);
    expect(await workspace.hasCommits({ since: 'start' })).toBe(false);
  });

  it('opens repositories of a server that is named by an address of IPv6', async () => {
    const { gitDirectories } = await bed.workspaces().open(bed.task({ host: '[::1]:9936' }));
    expect(gitDirectories[0]).toMatch(/__1_9936\/acme\/shop\.git$/);
  });

  it('lets several tasks of one repository open at once', async () => {
    const open = bed.workspaces();
    const opened = await Promise.all(
      [1, 2, 3, 4].map((number) => open.open(bed.task({ uuid: `run-${number}`, branch: `agent/${number}` }))),
    );
    const texts = opened.map(({ path }) => readFile(join(path, 'README.md'), 'utf8'));
    expect(await Promise.all(texts)).toEqual(['shop\n', 'shop\n', 'shop\n', 'shop\n']);
  });

  it('leaves out repositories that a tool made inside it, and runs nothing of theirs', async () => {
    const workspace = await bed.workspaces().open(bed.task());
    const nested = join(workspace.path, 'inner');
    execFileSync('git', ['init', '--quiet', nested]);
    execFileSync('git', ['-C', nested, 'config', 'core.fsmonitor', `touch ${bed.directory}/ran; false`]);
    await writeFile(join(nested, 'x.txt'), 'x');
    await writeFile(join(workspace.path, 'outer.txt'), 'x');
    await workspace.commitAll(() => 'outer only');
    expect(await workspace.changedFiles()).toEqual([{ path: 'outer.txt', change: 'added' }]);
    await expect(stat(join(bed.directory, 'ran'))).rejects.toThrow('ENOENT');
  });

  it('is removed with everything that was pushed, and can be opened anew', { tags: ['full'] }, async () => {
    const open = bed.workspaces();
    const workspace = await open.open(bed.task());
    await writeFile(join(workspace.path, 'new.txt'), 'x');
    await workspace.commitAll(() => 'one');
    await workspace.push();
    await open.remove(bed.task());
    await expect(stat(workspace.path)).rejects.toThrow('ENOENT');
    expect((await open.open(bed.task())).state).toBe('created');
  });

  it('is removed also by a process that never opened it, and when a killed one had begun to [RL-9]', async () => {
    const workspace = await bed.workspaces().open(bed.task());
    await bed.workspaces().remove(bed.task());
    await expect(stat(workspace.path)).rejects.toThrow('ENOENT');
    await expect(bed.workspaces().remove(bed.task())).resolves.toBeUndefined();
  });

  it('is removed also where a tool left directories that may not be written to', async () => {
    const workspaces = bed.workspaces();
    const workspace = await workspaces.open(bed.task());
    const cache = join(workspace.path, 'cache');
    await mkdir(cache);
    await writeFile(join(cache, 'module'), 'x', { mode: 0o444 });
    await chmod(cache, 0o555);
    await workspaces.remove(bed.task());
    await expect(stat(workspace.path)).rejects.toThrow('ENOENT');
  });
});
