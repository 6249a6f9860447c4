import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createBareRepository } from './bare-repository.ts';
import { createGit, type Git } from './git.ts';
import { listRefs } from './refs.ts';
import { writeFirstCommit } from './write-first-commit.ts';

let root = '';
let git: Git;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'branches-'));
  git = createGit(root);
});
afterEach(() => rm(root, { recursive: true, force: true }));

describe('the branches of a repository', () => {
  it('are those that git lists, packed, loose, moved and removed', async () => {
    const directory = join(root, 'shop.git');
    const hook = { name: 'update', text: '#!/bin/sh\n' } as const;
    await createBareRepository(directory, { ownRefs: 'refs/pull', hook });
    const ask = async (...args: string[]): Promise<string> => (await git.read(directory, args)).toString();
    const expectAll = async (names: readonly string[]): Promise<void> => {
      const format = '--format=%(refname) %(objectname) %(objecttype)';
      const listed = await listRefs(git, directory, 'refs/heads/');
      const lines = listed.map(({ name, sha, type }) => `${name} ${sha} ${type}\n`);
      expect(lines.join('')).toBe(await ask('for-each-ref', format, 'refs/heads/'));
      expect(listed.map(({ name }) => name.slice('refs/heads/'.length))).toEqual(names);
    };
    await expectAll([]);
    const author = { name: 'Anne', email: 'anne@example.org' };
    const commit = { branch: 'main', files: { a: '1' }, author, message: 'One', time: 1 };
    await writeFirstCommit(directory, commit);
    await git.read(directory, ['tag', 'v1', 'main']);
    for (const name of ['b/c', 'b-c', 'gone']) await git.read(directory, ['branch', name, 'main']);
    await git.read(directory, ['pack-refs', '--all']);
    await expectAll(['b-c', 'b/c', 'gone', 'main']);
    await git.read(directory, ['branch', '-D', 'gone']);
    await git.read(directory, ['branch', 'new/ü', 'main']);
    await writeFirstCommit(directory, { ...commit, message: 'Another' });
    await expectAll(['b-c', 'b/c', 'main', 'new/ü']);
  });
});
