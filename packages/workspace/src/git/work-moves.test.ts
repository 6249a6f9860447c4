import { chmod, lstat, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemorySnapshots, listFiles, openOn } from '../testing/machines.ts';
import { startWorkspaceBed, type WorkspaceBed } from '../testing/workspace-bed.ts';
import type { OpenedWorkspace } from '../worktrees/task-workspace.ts';

let bed: WorkspaceBed;
let snapshots: ReturnType<typeof createMemorySnapshots>;

beforeEach(async () => {
  bed = await startWorkspaceBed();
  snapshots = createMemorySnapshots();
});

afterEach(() => bed.close());

const on = (machine: string, options = {}) => openOn(bed, machine, { snapshots, ...options });

describe('work on a worktree', () => {
  it('is the same on another machine: files, modes, links, removals and commits', async () => {
    const one = await on('one');
    await writeFile(join(one.path, 'committed.txt'), 'x');
    await one.commitAll(() => 'kept');
    await writeFile(join(one.path, 'README.md'), 'changed\r\n');
    await writeFile(join(one.path, 'run.sh'), '#!/bin/sh\n');
    await chmod(join(one.path, 'run.sh'), 0o755);
    await symlink('README.md', join(one.path, 'link'));
    await rm(join(one.path, 'src'), { recursive: true });
    await writeFile(join(one.path, 'src'), 'a file now');
    await mkdir(join(one.path, 'データ/ ü'), { recursive: true });
    await writeFile(join(one.path, 'データ/ ü/绿\n"色".bin'), Buffer.from([0, 255, 13, 10, 128]));
    await writeFile(Buffer.concat([Buffer.from(`${one.path}/`), Buffer.from([0x61, 0xe9, 0x62])]), 'bytes');
    await one.keep?.();
    const other = await on('other');
    expect(other).toMatchObject({ state: 'restored', moved: { leftOut: [], missing: null } });
    expect(await listFiles(other.path)).toEqual(await listFiles(one.path));
    expect(await other.tip()).toBe(await one.tip());
    expect(await other.hasCommits({ since: 'start' })).toBe(true);
    expect(await other.readPatch()).toBe(await one.readPatch());
    await other.commitAll(() => 'goes on');
    const { sha } = await other.push();
    expect(await bed.server.git('acme/shop', 'log', '--format=%s', sha)).toBe('goes on\nkept\nchange main');
  });

  it('is kept only when something changed', { tags: ['full'] }, async () => {
    const one = await on('one');
    await one.keep?.();
    await one.keep?.();
    expect(snapshots.keeps).toHaveLength(1);
    await writeFile(join(one.path, 'new.txt'), 'x');
    await one.keep?.();
    await one.keep?.();
    expect(snapshots.keeps).toHaveLength(2);
    await one.commitAll(() => 'the same files');
    await one.keep?.();
    expect(snapshots.keeps).toHaveLength(3);
    await rm(join(one.path, 'new.txt'));
    await one.keep?.();
    expect(snapshots.keeps).toHaveLength(4);
    await writeFile(join(one.path, 'README.md'), await readFile(join(one.path, 'README.md')));
    await one.keep?.();
    expect(snapshots.keeps).toHaveLength(4);
    expect((await on('one')).state).toBe('reused');
    expect(snapshots.keeps).toHaveLength(4);
  });

  it('leaves the index of the worktree alone', async () => {
    const one = await on('one');
    const index = join(one.gitDirectories[0] ?? '', 'worktrees/run-1/index');
    const before = await readFile(index);
    await writeFile(join(one.path, 'new.txt'), 'x');
    await one.keep?.();
    expect(await readFile(index)).toEqual(before);
  });

  it('comes back to the machine where it began as another one left it', { tags: ['full'] }, async () => {
    const one = await on('one');
    await writeFile(join(one.path, 'README.md'), 'first\n');
    await one.keep?.();
    await writeFile(join(one.path, 'README.md'), 'never told\n');
    const other = await on('other');
    expect(await readFile(join(other.path, 'README.md'), 'utf8')).toBe('first\n');
    const back = await on('one');
    expect(back.state).toBe('restored');
    expect(await readFile(join(back.path, 'README.md'), 'utf8')).toBe('first\n');
    await writeFile(join(back.path, 'README.md'), 'second\n');
    const again = await on('one');
    expect(again.state).toBe('reused');
    // Whoever opens it can tell that it holds what another machine did.
    expect(again.moved).toEqual(back.moved);
    expect(again.moved?.worktree).not.toBe(other.moved?.worktree);
    expect(await readFile(join(again.path, 'README.md'), 'utf8')).toBe('second\n');
  });

  it('is the same byte for byte where attributes convert files', async () => {
    const attributes = '*.bat text eol=crlf\n*.txt text=auto\n*.id ident\n';
    await bed.server.commit('acme/shop', {
      branch: 'main',
      files: { '.gitattributes': attributes, 'a.bat': 'one\ntwo\n', 'b.bat': 'one\n', 'c.id': '$Id$\n' },
    });
    const one = await on('one');
    expect(await readFile(join(one.path, 'a.bat'), 'utf8')).toBe('one\r\ntwo\r\n');
    await writeFile(join(one.path, 'b.bat'), 'plain\n');
    await writeFile(join(one.path, 'mixed.txt'), 'a\r\nb\n');
    await one.keep?.();
    const other = await on('other');
    expect(await listFiles(other.path)).toEqual(await listFiles(one.path));
    const { length } = (await other.readPatch()) ?? '';
    expect(length).toBe(((await one.readPatch()) ?? '').length);
  });

  it('goes on from a commit that the server has on no branch any more', { tags: ['full'] }, async () => {
    const one = await on('one');
    await writeFile(join(one.path, 'README.md'), 'changed\n');
    await one.keep?.();
    await bed.server.commit('acme/shop', { branch: 'next', from: null, files: { 'a.txt': 'other' } });
    await bed.server.git('acme/shop', 'update-ref', 'refs/heads/main', 'refs/heads/next');
    const other = await on('other');
    expect(other.moved).toMatchObject({ leftOut: [], missing: null });
    expect(await listFiles(other.path)).toEqual(await listFiles(one.path));
  });

  it('that a run on another machine could not push is in the files of the run that goes on from it', {
    tags: ['full'],
  }, async () => {
    const stale = await on('two');
    await writeFile(join(stale.path, 'README.md'), 'of before it moved\n');
    await stale.commitAll(() => 'begun');
    const failed = await on('one');
    await writeFile(join(failed.path, 'README.md'), 'half done\n');
    await failed.commitAll(() => 'half');
    for (const machine of ['two', 'three']) {
      const next = await bed
        .workspaces({ directory: join(bed.directory, machine) })
        .open(bed.task({ uuid: `run-${machine}`, goesOnFrom: 'run-1' }), { snapshots });
      expect(next).toMatchObject({ state: 'created', moved: null });
      expect(await readFile(join(next.path, 'README.md'), 'utf8')).toBe('half done\n');
      expect(await next.commitAll(() => 'all of it')).not.toBeNull();
    }
  });

  it('ends up once on a branch that the machine before had pushed just before it died', {
    tags: ['full'],
  }, async () => {
    const one = await on('one');
    await writeFile(join(one.path, 'new.txt'), 'x');
    await one.keep?.();
    await one.commitAll(() => 'work');
    const { sha } = await one.push();
    const other = await on('other');
    await other.commitAll(() => 'work, once more');
    expect((await other.push()).sha).toBe(sha);
  });
});

/** What a tool may do to a worktree. */
type Edit =
  | { readonly kind: 'write'; readonly path: string; readonly bytes: Uint8Array; readonly runs: boolean }
  | { readonly kind: 'link'; readonly path: string; readonly target: string }
  | { readonly kind: 'remove'; readonly path: string }
  | { readonly kind: 'commit' }
  | { readonly kind: 'keep' };

const name = fc.constantFrom('a', 'b', 'src', 'README.md', 'a.txt', 'ü', '-x', ':(top)', '"q"', 'ta\tb');
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));
const edit: fc.Arbitrary<Edit> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('write' as const),
      path,
      bytes: fc.oneof(
        fc.uint8Array({ maxLength: 20 }),
        fc.constantFrom('a\r\nb\n', 'one\ntwo\n', '').map((text) => Buffer.from(text)),
      ),
      runs: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('link' as const),
      path,
      target: fc.constantFrom('a', 'src', '../x'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), path }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'commit' } as const) },
  { weight: 1, arbitrary: fc.constant({ kind: 'keep' } as const) },
);

/** Makes room for a path: what stands in the place of its directories goes. */
async function makeRoom(root: string, path: string): Promise<string> {
  const parts = path.split('/');
  for (let count = 1; count < parts.length; count += 1) {
    const directory = join(root, ...parts.slice(0, count));
    if (!(await lstat(directory).catch(() => null))?.isDirectory()) await rm(directory, { force: true });
    await mkdir(directory, { recursive: true });
  }
  const at = join(root, path);
  await rm(at, { recursive: true, force: true });
  return at;
}

async function carryOut(workspace: OpenedWorkspace, one: Edit): Promise<void> {
  if (one.kind === 'commit') await workspace.commitAll(() => 'work');
  else if (one.kind === 'keep') await workspace.keep?.();
  else {
    const at = await makeRoom(workspace.path, one.path);
    if (one.kind === 'write') await writeFile(at, one.bytes, { mode: one.runs ? 0o755 : 0o644 });
    if (one.kind === 'link') await symlink(one.target, at);
  }
}

describe('any series of edits', () => {
  it('restored elsewhere, is the same [NX-144]', { tags: ['full'], timeout: 600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { maxLength: 12 }), async (edits) => {
        snapshots = createMemorySnapshots();
        const one = await on('one');
        for (const each of edits) await carryOut(one, each);
        await one.keep?.();
        const other = await on('other');
        expect(other.moved).toMatchObject({ leftOut: [], missing: null });
        expect(await listFiles(other.path)).toEqual(await listFiles(one.path));
        expect(await other.tip()).toBe(await one.tip());
        for (const machine of ['one', 'other'])
          await bed.workspaces({ directory: join(bed.directory, machine) }).remove(bed.task());
        for (const machine of ['one', 'other']) await rm(join(bed.directory, machine), { recursive: true });
      }),
      { numRuns: process.env.TEST_RELEASE === '1' ? 100 : 8 },
    );
  });
});
