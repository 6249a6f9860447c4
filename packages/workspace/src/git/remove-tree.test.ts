import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeDeepTree } from '../../test/make-deep-tree.ts';
import { removeTree } from '../machine/directories.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'remove-tree-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

it('removes directories that lie deeper than any path can name [NX-33]', async () => {
  const tree = join(directory, 'tree');
  makeDeepTree(tree, 'x'.repeat(200), 60);
  makeDeepTree(join(tree, 'more'), 'y', 3_000);
  await writeFile(join(tree, 'file'), '');
  await removeTree(tree);
  expect(await readdir(directory)).toEqual([]);
});

it('removes directories that nobody may write to, and follows no link', async () => {
  const [tree, kept] = [join(directory, 'tree'), join(directory, 'kept')];
  await mkdir(join(tree, 'closed', 'inner'), { recursive: true });
  await mkdir(kept);
  execFileSync('ln', ['-s', kept, join(tree, 'closed', 'link')]);
  await chmod(join(tree, 'closed'), 0o500);
  await chmod(tree, 0o500);
  await removeTree(tree);
  expect(await readdir(directory)).toEqual(['kept']);
});
