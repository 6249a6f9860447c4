import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startWorkspaceBed, type WorkspaceBed } from '../testing/workspace-bed.ts';

let bed: WorkspaceBed;

beforeEach(async () => {
  bed = await startWorkspaceBed();
});

afterEach(() => bed.close());

it('reads files of the base branch, not of the worktree and its branch [NX-22]', async () => {
  await bed.server.commit('acme/shop', { branch: 'theirs', files: { 'README.md': 'of the branch\n' } });
  const task = bed.task({ branch: 'theirs', branchMustExist: true });
  const workspace = await bed.workspaces().open(task);
  await writeFile(join(workspace.path, 'README.md'), 'of the worktree\n');
  const paths = ['AGENTS.md', 'README.md', 'src', 'src/a.txt', 'src/a.txt/x'];
  expect(await workspace.readBaseFiles(paths)).toEqual([null, 'shop\n', null, 'one\ntwo\n', null]);
});

it('follows links inside the repository, and none that leads out', { tags: ['full'] }, async () => {
  const first = await bed.workspaces().open(bed.task());
  await symlink('README.md', join(first.path, 'inside.md'));
  await symlink('/etc/passwd', join(first.path, 'outside.md'));
  await symlink('nowhere', join(first.path, 'loose.md'));
  await first.commitAll(() => 'links');
  await first.push({ allowance: { paths: ['AGENTS.md', 'CLAUDE.md'], patches: [], secrets: [] } });
  const task = bed.task({ uuid: 'run-2', branch: 'other', baseBranch: first.branch });
  const workspace = await bed.workspaces().open(task);
  const paths = ['outside.md', 'loose.md', 'inside.md', 'README.md'];
  expect(await workspace.readBaseFiles(paths)).toEqual([null, null, 'shop\n', 'shop\n']);
});
