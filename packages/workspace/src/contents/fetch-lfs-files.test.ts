import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type GitServer, startGitServer } from '../testing/git-server.ts';
import { bedToken, startWorkspaceBed, type WorkspaceBed } from '../testing/workspace-bed.ts';
import type { SnapshotStore } from '../worktrees/work-keeper.ts';
import { parsePointer } from './lfs-client.ts';

let bed: WorkspaceBed;
let storage: GitServer;
beforeEach(async () => {
  bed = await startWorkspaceBed();
  storage = await startGitServer({ token: null });
});
afterEach(async () => {
  await bed.close();
  await storage.close();
});

const rules = { maxBytes: 1024 * 1024 };
const attributes = { '.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text\n' };
const commit = (files: Readonly<Record<string, string>>) =>
  bed.server.commit('acme/shop', { branch: 'main', files: { ...attributes, ...files } });
const open = (change: object = {}) => bed.workspaces().open(bed.task(change));
const read = (root: string, path: string) => readFile(join(root, path), 'utf8');

it('writes the content of each pointer, and git sees no change [NX-229]', async () => {
  const [one, same] = [bed.server.lfs.add('one\0'), bed.server.lfs.add('same')];
  await commit({ 'a.bin': one, 'deep/b c.bin': same, 'deep/d.bin': same, 'no.txt': one, 'raw.bin': 'raw' });
  const workspace = await open();
  expect(await workspace.contents.fetchLfsFiles(rules)).toEqual({
    made: ['a.bin', 'deep/b c.bin', 'deep/d.bin'],
    missing: [],
  });
  expect(await read(workspace.path, 'a.bin')).toBe('one\0');
  expect(await read(workspace.path, 'deep/b c.bin')).toBe('same');
  expect(await read(workspace.path, 'no.txt')).toBe(one);
  expect(bed.server.lfs.asked).toHaveLength(2);
  expect(await workspace.readPatch()).toBeNull();
  expect(await workspace.commitAll(() => 'Nothing')).toBeNull();
  await writeFile(join(workspace.path, 'README.md'), 'changed\n');
  await workspace.commitAll(() => 'Change');
  await workspace.push();
  expect(await bed.server.git('acme/shop', 'show', `${bed.task().branch}:a.bin`)).toBe(one.trim());

  // The next worktree has them from the copy of the repository.
  const next = await open({ uuid: 'run-2', branch: 'next' });
  expect((await next.contents.fetchLfsFiles(rules)).made).toHaveLength(3);
  expect(bed.server.lfs.asked).toHaveLength(2);
});

it('logs in to the server of the repository, and to no storage that it names [NX-229]', async () => {
  const elsewhere = storage.lfs.add('far away');
  bed.server.lfs.add('far away');
  bed.server.lfs.storage = storage.url;
  await commit({ 'a.bin': elsewhere });
  const workspace = await open();
  const before = bed.server.logins.length;
  expect((await workspace.contents.fetchLfsFiles(rules)).made).toEqual(['a.bin']);
  expect(bed.server.logins.slice(before)).toEqual([`x-access-token:${bedToken}`]);
  expect(storage.logins).toEqual([null]);
});

it('asks once more with another token where one has ended meanwhile [NX-229]', async () => {
  await commit({ 'a.bin': bed.server.lfs.add('content') });
  const opened = bed.workspaces({ token: ({ refused } = {}) => (refused === 'ended' ? bedToken : 'ended') });
  const workspace = await opened.open(bed.task());
  expect((await workspace.contents.fetchLfsFiles(rules)).made).toEqual(['a.bin']);
});

it('writes nothing that its pointer does not promise, and goes on without what it cannot have [NX-229]', async () => {
  const { lfs } = bed.server;
  const files = {
    'absent.bin': lfs.add('other').replace(/[0-9a-f]{64}/, 'a'.repeat(64)),
    'changed.bin': lfs.add('changed'),
    'good.bin': lfs.add('good'),
    'large.bin': lfs.add('x'.repeat(2_000)),
    'longer.bin': lfs.add('longer'),
  };
  const replace = (path: keyof typeof files, content: string) =>
    lfs.replaced.set(parsePointer(Buffer.from(files[path]))?.oid ?? '', content);
  replace('changed.bin', 'CHANGED');
  replace('longer.bin', 'longer than it says');
  await commit(files);
  const workspace = await open();
  expect(await workspace.contents.fetchLfsFiles({ maxBytes: 1_000 })).toEqual({
    made: ['good.bin'],
    missing: [
      { path: 'absent.bin', why: 'unavailable' },
      { path: 'changed.bin', why: 'unavailable' },
      { path: 'large.bin', why: 'too-large' },
      { path: 'longer.bin', why: 'unavailable' },
    ],
  });
  for (const path of ['absent.bin', 'changed.bin', 'large.bin', 'longer.bin'] as const)
    expect(await read(workspace.path, path)).toBe(files[path]);
});

it('takes a server without LFS for files that are missing [NX-229]', async () => {
  await commit({ 'a.bin': bed.server.lfs.add('content') });
  const workspace = await open();
  bed.server.intercept = async () => ({ status: 503 });
  expect(await workspace.contents.fetchLfsFiles(rules)).toEqual({
    made: [],
    missing: [{ path: 'a.bin', why: 'unavailable' }],
  });
});

it('refuses to commit content in the place of a pointer, of changed files and of new ones [NX-230]', {
  tags: ['full'],
}, async () => {
  await commit({
    'a.bin': bed.server.lfs.add('content'),
    'pointer.bin': bed.server.lfs.add('x'.repeat(2_000)),
  });
  for (const path of ['a.bin', 'pointer.bin', 'new.bin']) {
    const workspace = await open({ uuid: `run-${path.length}`, branch: `of-${path}` });
    await workspace.contents.fetchLfsFiles({ maxBytes: 1_000 });
    await writeFile(join(workspace.path, path), 'changed by the run');
    await writeFile(join(workspace.path, 'README.md'), 'changed\n');
    await expect(
      workspace.commitAll(() => 'Change'),
      path,
    ).rejects.toThrow(`changes to files in Git LFS are not pushed ("${path}")`);
    expect(await workspace.hasCommits()).toBe(false);
    expect(await read(workspace.path, path)).toBe('changed by the run');
  }
});

it('commits that such a file was removed, and a pointer that was moved [NX-230]', async () => {
  const pointer = bed.server.lfs.add('x'.repeat(2_000));
  await commit({ 'a.bin': bed.server.lfs.add('content'), 'pointer.bin': pointer });
  const workspace = await open();
  await workspace.contents.fetchLfsFiles({ maxBytes: 1_000 });
  await rm(join(workspace.path, 'a.bin'));
  await rm(join(workspace.path, 'pointer.bin'));
  await writeFile(join(workspace.path, 'moved.bin'), pointer);
  await workspace.commitAll(() => 'Change');
  expect(await workspace.changedFiles()).toEqual([
    { path: 'a.bin', change: 'deleted' },
    { path: 'moved.bin', change: 'added' },
    { path: 'pointer.bin', change: 'deleted' },
  ]);
});

it('keeps what the run has put there, and marks what is there already, when it is asked again [NX-229]', {
  tags: ['full'],
}, async () => {
  await commit({ 'a.bin': bed.server.lfs.add('one'), 'b.bin': bed.server.lfs.add('two') });
  const workspace = await open();
  await workspace.contents.fetchLfsFiles(rules);
  await writeFile(join(workspace.path, 'b.bin'), 'own');
  // An index that was lost is made anew.
  const [directory = ''] = workspace.gitDirectories;
  await rm(join(directory, 'worktrees/run-1/index'));
  const again = await open();
  const before = await stat(join(again.path, 'a.bin'));
  expect(await again.contents.fetchLfsFiles(rules)).toEqual({ made: [], missing: [] });
  expect((await stat(join(again.path, 'a.bin'))).mtimeMs).toBe(before.mtimeMs);
  expect(await read(again.path, 'b.bin')).toBe('own');
  await expect(again.commitAll(() => 'Change')).rejects.toThrow(
    'changes to files in Git LFS are not pushed ("b.bin")',
  );
});

it('follows a merge of the base branch, and what somebody pushed meanwhile [NX-229]', {
  tags: ['full'],
}, async () => {
  await commit({ 'a.bin': bed.server.lfs.add('one'), 'b.bin': bed.server.lfs.add('two') });
  const workspace = await open();
  await workspace.contents.fetchLfsFiles(rules);
  await commit({ 'a.bin': bed.server.lfs.add('one, changed') });
  expect(await workspace.merging.mergeBase('Merge')).toMatchObject({ kind: 'merged' });
  expect(await read(workspace.path, 'a.bin')).toBe('one, changed');
  expect(await read(workspace.path, 'b.bin')).toBe('two');
  await workspace.push();
  const files = { 'b.bin': bed.server.lfs.add('two, changed') };
  await bed.server.commit('acme/shop', { branch: bed.task().branch, files });
  await writeFile(join(workspace.path, 'README.md'), 'changed\n');
  await workspace.commitAll(() => 'Change');
  await workspace.push();
  expect(await bed.server.git('acme/shop', 'show', `${bed.task().branch}:b.bin`)).toBe(files['b.bin'].trim());
  expect(await workspace.commitAll(() => 'Nothing')).toBeNull();
});

it('keeps none of them for other machines, which fetch them themselves [NX-229]', async () => {
  await commit({ 'a.bin': bed.server.lfs.add('x'.repeat(2_000)) });
  const kept: (number | null)[] = [];
  const snapshots: SnapshotStore = {
    keep: async (_uuid, { bundle }) => void kept.push(bundle?.length ?? null),
    read: async () => null,
  };
  const workspace = await bed.workspaces().open(bed.task(), { snapshots });
  const before = kept.length;
  await workspace.contents.fetchLfsFiles(rules);
  await workspace.keep?.();
  expect(kept).toHaveLength(before);
  await writeFile(join(workspace.path, 'README.md'), 'changed\n');
  await workspace.keep?.();
  expect(kept).toHaveLength(before + 1);
});

it.each([
  ['', null],
  ['version https://git-lfs.github.com/spec/v1\noid sha256:abc\nsize 1\n', null],
  [`version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\n`, null],
  [`version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize -1\n`, null],
  [
    `version https://git-lfs.github.com/spec/v1\next-0-x sha256:${'b'.repeat(64)}\noid sha256:${'a'.repeat(64)}\nsize 12\n`,
    { oid: 'a'.repeat(64), size: 12 },
  ],
])('reads a pointer, and takes nothing else for one: %j [NX-229]', (text, expected) => {
  expect(parsePointer(Buffer.from(text))).toEqual(expected);
});
