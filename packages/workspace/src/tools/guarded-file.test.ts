import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  symlink,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { guardPath } from '../machine/guarded-path.ts';
import { deleteFile, inDirectory, writeTextFile } from './guarded-file.ts';

let base: string;

let root: string;

let outside: string;

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'guarded-')));
  root = join(base, 'worktree');
  outside = join(base, 'outside');
  for (const directory of [join(root, 'a/sub'), join(outside, 'sub')]) {
    await mkdir(directory, { recursive: true });
    await writeFile(join(directory, 'file'), 'kept');
  }
});

afterEach(() => rm(base, { recursive: true, force: true }));

/** What a process that outlived its command may do at any moment. */
async function swap(): Promise<void> {
  await rename(join(root, 'a'), join(root, 'moved'));
  await symlink(outside, join(root, 'a'));
}

const left = async () => [
  await readdir(join(outside, 'sub')),
  await readFile(join(outside, 'sub/file'), 'utf8'),
];

it('deletes and writes nothing outside when a directory is swapped after its check [NX-34]', async () => {
  const directory = await guardPath(root, 'a/sub');
  const file = await guardPath(root, 'a/sub/file');
  const fresh = await guardPath(root, 'a/sub/deep/er');
  await swap();
  await expect(deleteFile(directory, 'file')).rejects.toThrow('not a directory any more');
  await expect(writeTextFile(file, 'new')).rejects.toThrow('not a directory any more');
  await expect(writeTextFile(fresh, 'new')).rejects.toThrow('not a directory any more');
  expect(await left()).toEqual([['file'], 'kept']);
});

it('goes on in the directory that was opened when it is swapped under the work [NX-34]', async () => {
  const directory = await guardPath(root, 'a/sub');
  await inDirectory(directory, async (at) => {
    await swap();
    await unlink(join(at, 'file'));
    await writeFile(join(at, 'made'), 'here');
  });
  expect(await readdir(join(root, 'moved/sub'))).toEqual(['made']);
  expect(await left()).toEqual([['file'], 'kept']);
});
