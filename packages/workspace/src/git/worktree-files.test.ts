import { execFileSync } from 'node:child_process';
import { appendFile, lstat, symlink, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeDeepTree } from '../../test/make-deep-tree.ts';
import { startWorkspaceBed, type WorkspaceBed } from '../testing/workspace-bed.ts';
import type { TaskWorkspace } from '../worktrees/task-workspace.ts';
import { runGit } from './run-git.ts';

let bed: WorkspaceBed;
beforeEach(async () => {
  bed = await startWorkspaceBed();
});
afterEach(() => bed.close());

const open = (): Promise<TaskWorkspace> => bed.workspaces().open(bed.task());

function makePipe(...parts: readonly string[]): string {
  const path = join(...parts);
  execFileSync('sh', ['-c', 'mkfifo "$0"', path]);
  return path;
}

/** A file of that size that takes no room on the disk. */
async function makeSparse(path: string, bytes: number): Promise<void> {
  await appendFile(path, '');
  await truncate(path, bytes);
}

describe('committing', () => {
  it.each(['.gitattributes', '.gitignore', 'src/.gitattributes', 'src/.gitignore', 'src/pipe'])(
    'is not held up by a pipe named %s [NX-33]',
    { tags: ['full'] },
    async (name) => {
      const workspace = await open();
      const pipe = makePipe(workspace.path, name);
      await writeFile(join(workspace.path, 'src/b.txt'), 'new\n');
      expect(await workspace.commitAll(() => 'kept')).not.toBeNull();
      expect(await workspace.changedFiles()).toEqual([{ path: 'src/b.txt', change: 'added' }]);
      await expect(lstat(pipe)).rejects.toThrow('ENOENT');
    },
  );

  it('refuses directories that lie deeper than a path can name, and removes them with the worktree [NX-33]', async () => {
    const workspace = await open();
    makeDeepTree(join(workspace.path, 'deep'), 'x'.repeat(200), 30);
    const error = await workspace.commitAll(() => 'never').catch((reason: Error) => reason);
    expect(error).toMatchObject({ code: 'unsuitable-file' });
    expect(String(error)).toMatch(/"deep\/x+" is deeper than a path can name\./);
    await bed.workspaces().remove(bed.task());
    await expect(lstat(workspace.path)).rejects.toThrow('ENOENT');
  });

  it('is not held up by a pipe in a repository inside, and adds no socket [NX-33]', {
    tags: ['full'],
  }, async () => {
    const workspace = await open();
    execFileSync('git', ['init', '--quiet', join(workspace.path, 'inner')]);
    execFileSync('rm', [join(workspace.path, 'inner/.git/HEAD')]);
    makePipe(workspace.path, 'inner/.git/HEAD');
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(workspace.path, 'socket'), resolve));
    await writeFile(join(workspace.path, 'made.txt'), 'new\n');
    await workspace.commitAll(() => 'kept');
    server.close();
    expect(await workspace.changedFiles()).toEqual([{ path: 'made.txt', change: 'added' }]);
  });

  it('is not held up by a pipe that a killed process left', { tags: ['full'] }, async () => {
    makePipe((await open()).path, '.gitattributes');
    const again = await open();
    expect(again.state).toBe('reused');
    expect(await again.commitAll(() => 'nothing')).toBeNull();
  });

  it('refuses by name a file of 8 GiB, new or changed, and one of rules that is none [NX-33]', {
    tags: ['full'],
  }, async () => {
    const workspace = await open();
    await makeSparse(join(workspace.path, 'core.bin'), 8 * 2 ** 30);
    await makeSparse(join(workspace.path, 'README.md'), 8 * 2 ** 30);
    await expect(workspace.commitAll(() => 'large')).rejects.toMatchObject({
      code: 'unsuitable-file',
      message: expect.stringMatching(/"README\.md", "core\.bin" is larger than 100 MB\..*\.gitignore/),
    });
    await truncate(join(workspace.path, 'README.md'), 10);
    await writeFile(join(workspace.path, '.gitignore'), 'core.bin\n');
    expect(await workspace.commitAll(() => 'small')).not.toBeNull();
    await makeSparse(join(workspace.path, 'src/.gitignore'), 8 * 2 ** 30);
    await expect(workspace.commitAll(() => 'rules')).rejects.toThrow(
      /"src\/\.gitignore" is larger than 1 MB/,
    );
  });

  it('refuses a link to a pipe where rules are expected, and takes one to a file', {
    tags: ['full'],
  }, async () => {
    const workspace = await open();
    await symlink('README.md', join(workspace.path, '.gitignore'));
    expect(await workspace.commitAll(() => 'link')).not.toBeNull();
    const pipe = makePipe(bed.directory, 'pipe');
    await symlink(pipe, join(workspace.path, 'src/.gitattributes'));
    await expect(workspace.commitAll(() => 'link')).rejects.toThrow(
      '"src/.gitattributes" is no regular file',
    );
    expect((await open()).state).toBe('reused');
  });
});

it('a git that works here alone and finds no end fails for good; with a server it is tried again [NX-33]', async () => {
  const call = { gitPath: 'sleep', args: ['60'], environment: {}, directory: bed.directory, timeoutMs: 50 };
  const failureOf = (remote: boolean) => runGit({ ...call, remote }).catch((thrown: unknown) => thrown);
  const local = await failureOf(false);
  expect(local).toMatchObject({
    code: 'git-failed',
    message: expect.stringContaining('another try does not help'),
  });
  expect(await failureOf(true)).toMatchObject({ code: 'unavailable' });
});
