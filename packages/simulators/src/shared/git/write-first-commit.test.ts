import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createBareRepository } from './bare-repository.ts';
import { createGit, type Git } from './git.ts';
import { writeFirstCommit } from './write-first-commit.ts';

let root = '';
let git: Git;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'first-commit-'));
  git = createGit(root);
});
afterEach(() => rm(root, { recursive: true, force: true }));

describe('writeFirstCommit', () => {
  it('writes what git itself would, whatever the names and texts are', async () => {
    const directory = join(root, 'acme', 'shop.git');
    await createBareRepository(directory, {
      ownRefs: 'refs/pull',
      hook: { name: 'update', text: '#!/bin/sh\n' },
    });
    const files = { 'a-b': '1', 'a/x.js': '合計\n', 'a.txt': 'x', 'a/b/ü "q".sh': '#!/bin/sh\n', empty: '' };
    const author = { name: 'Änne', email: 'anne@example.org' };
    const commit = { branch: 'feature/x', files, author, message: 'Initial commit', time: 1_700_000_000 };
    await writeFirstCommit(directory, commit);
    const ask = async (...args: string[]): Promise<string> => (await git.read(directory, args)).toString();

    expect(await ask('fsck', '--strict', '--full')).toBe('');
    const listed = await ask('ls-tree', '-r', '-z', 'feature/x');
    expect(listed.split('\0').flatMap((line) => line.match(/^\d+|[^\t]+$/g)?.join(' ') ?? [])).toEqual([
      '100644 a-b',
      '100644 a.txt',
      '100755 a/b/ü "q".sh',
      '100644 a/x.js',
      '100644 empty',
    ]);
    for (const [path, text] of Object.entries(files))
      expect(await ask('show', `feature/x:${path}`)).toBe(text);
    expect(await ask('log', '--format=%an %ae %at %ct %cn %P|%B', 'feature/x')).toBe(
      'Änne anne@example.org 1700000000 1700000000 Änne |Initial commit\n',
    );
    const tree = (await ask('rev-parse', 'feature/x^{tree}')).trim();
    await git.read(directory, ['read-tree', 'feature/x']);
    expect((await ask('write-tree')).trim()).toBe(tree);
  });
});
