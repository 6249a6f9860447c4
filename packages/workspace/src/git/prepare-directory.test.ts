import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createDirectoryPreparer } from '../machine/directories.ts';

let parent: string;
beforeEach(async () => {
  parent = await realpath(await mkdtemp(join(tmpdir(), 'prepared-')));
});
afterEach(() => rm(parent, { recursive: true, force: true }));

it('clears what a dead process left, and never what a run of this one keeps there since', async () => {
  const directory = join(parent, 'workspaces');
  await mkdir(join(directory, '.agent-home-dead'), { recursive: true });
  const prepare = createDirectoryPreparer(directory);
  expect(await prepare()).toBe(directory);
  expect(await readdir(directory)).toEqual([]);
  await mkdir(join(directory, '.agent-home-living'));
  expect(await prepare()).toBe(directory);
  expect(await readdir(directory)).toEqual(['.agent-home-living']);
});

it('tries again after it failed', async () => {
  const directory = join(parent, 'workspaces');
  await writeFile(directory, 'in the way');
  const prepare = createDirectoryPreparer(directory);
  await expect(prepare()).rejects.toThrow('EEXIST');
  await rm(directory);
  expect(await prepare()).toBe(directory);
});
