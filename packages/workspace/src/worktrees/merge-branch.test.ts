import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startWorkspaceBed, type WorkspaceBed } from '../testing/workspace-bed.ts';
import { createMergeBaseTool } from '../tools/merge-base-tool.ts';
import type { OpenedWorkspace } from './task-workspace.ts';

let bed: WorkspaceBed;
let workspace: OpenedWorkspace;
beforeEach(async () => {
  bed = await startWorkspaceBed();
  workspace = await bed.workspaces().open(bed.task());
});
afterEach(() => bed.close());

const path = 'acme/shop';
const { branch: ourBranch } = { branch: 'agent/issue-1-fix' };
const write = (file: string, text: string) => writeFile(join(workspace.path, file), text);
const read = (file: string) => readFile(join(workspace.path, file), 'utf8');
const onBase = (files: Record<string, string>, from = 'main') =>
  bed.server.commit(path, { branch: 'main', files, from });
const use = (input: object = {}) =>
  createMergeBaseTool({ workspace, formatMessage: () => 'Change what was asked\n' }).execute(input, {
    toolCallId: 'call-1',
  });
const parentsOf = async (sha: string) =>
  (await bed.server.git(path, 'rev-list', '--parents', '-n1', sha)).trim().split(' ').slice(1);

describe('merging the base branch', () => {
  it('adds a commit and changes none, with what was changed committed before [NX-219]', {
    tags: ['full'],
  }, async () => {
    await write('own.txt', 'ours\n');
    await workspace.commitAll(() => 'first');
    const { sha: pushed } = await workspace.push();
    await write('src/a.txt', 'one\ntwo\nthree\n');
    const base = await onBase({ 'README.md': 'newer shop\n' });
    expect(await use()).toBe('main is merged and committed. Run the tests again.');
    expect([await read('README.md'), await read('src/a.txt')]).toEqual(['newer shop\n', 'one\ntwo\nthree\n']);
    const { sha } = await workspace.push();
    const [ours = '', theirs] = await parentsOf(sha);
    expect(theirs).toBe(base);
    expect(await parentsOf(ours)).toEqual([pushed]);
    expect(await use()).toBe('The branch holds everything of main already.');
    const changed = await workspace.changedFiles({ since: 'start' });
    expect(changed.map((file) => file.path)).toEqual(['own.txt', 'src/a.txt']);
  });

  it('leaves conflicts to be resolved, and pushes none of their marks [NX-219]', async () => {
    await write('README.md', 'our shop\n');
    const base = await onBase({ 'README.md': 'their shop\n' });
    expect(await use()).toBe('Conflicts, in these files:\n"README.md"');
    expect(await read('README.md')).toContain(`<<<<<<< refs/heads/${ourBranch}`);
    await expect(workspace.commitAll(() => 'too early')).rejects.toThrow('"README.md"');
    expect((await bed.workspaces().open(bed.task())).state).toBe('reused');
    await write('README.md', 'our shop\n');
    await workspace.commitAll(() => 'resolved');
    const { sha } = await workspace.push();
    expect((await parentsOf(sha))[1]).toBe(base);
    expect(await bed.server.git(path, 'show', `${sha}:README.md`)).toContain('our shop');
  });

  it('is given up with all that was changed since [NX-219]', { tags: ['full'] }, async () => {
    await write('README.md', 'our shop\n');
    await onBase({ 'README.md': 'their shop\n' });
    await use();
    expect(await use({ abort: true })).toBe('The merge was given up.');
    expect(await use({ abort: true })).toBe('No merge is under way.');
    expect(await read('README.md')).toBe('our shop\n');
    expect(await workspace.commitAll(() => 'nothing')).toBeNull();
  });

  it('is merged with what somebody pushed to the branch meanwhile, not put on top of it [NX-219]', {
    tags: ['full'],
  }, async () => {
    await write('own.txt', 'ours\n');
    await workspace.commitAll(() => 'first');
    await workspace.push();
    const theirs = await bed.server.commit(path, {
      branch: ourBranch,
      files: { 'them.txt': 'x\n' },
      from: ourBranch,
    });
    const base = await onBase({ 'README.md': 'newer shop\n' });
    await use();
    const { sha } = await workspace.push();
    const [, second] = await parentsOf(sha);
    expect(second).toBe(theirs);
    const all = await bed.server.git(path, 'rev-list', sha);
    expect(all).toContain(base);
    expect(await read('them.txt')).toBe('x\n');
  });
});
