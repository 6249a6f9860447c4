import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemorySnapshots, listFiles, openOn } from '../testing/machines.ts';
import { startWorkspaceBed, type WorkspaceBed } from '../testing/workspace-bed.ts';

const execute = promisify(execFile);

let bed: WorkspaceBed;
let snapshots: ReturnType<typeof createMemorySnapshots>;

beforeEach(async () => {
  bed = await startWorkspaceBed();
  snapshots = createMemorySnapshots();
});

afterEach(() => bed.close());

const on = (machine: string, options = {}) => openOn(bed, machine, { snapshots, ...options });

describe('work that cannot move as a whole', () => {
  it('leaves out large files and repositories inside, by name [NX-145]', async () => {
    const one = await on('one', { maxSnapshotBytes: 50_000 });
    await writeFile(join(one.path, 'large.bin'), Buffer.alloc(10_001));
    await writeFile(join(one.path, 'README.md'), Buffer.alloc(10_001));
    await writeFile(join(one.path, 'small.bin'), Buffer.alloc(10_000));
    await mkdir(join(one.path, 'inside'));
    await execute('git', ['init', '--quiet', join(one.path, 'inside')]);
    await writeFile(join(one.path, 'inside/file'), 'x');
    await one.keep?.();
    const { length } = snapshots.keeps;
    await one.keep?.();
    expect(snapshots.keeps).toHaveLength(length);
    const other = await on('other');
    expect(other.moved?.missing).toBeNull();
    expect(other.moved?.leftOut.toSorted((a, b) => a.path.localeCompare(b.path))).toEqual([
      { path: 'inside', why: 'repository' },
      { path: 'large.bin', why: 'large' },
      { path: 'README.md', why: 'large' },
    ]);
    const { 'README.md': readme, ...others } = await listFiles(other.path);
    expect(readme).toBe('shop\n');
    expect(Object.keys(others)).toEqual(['small.bin', 'src/a.txt']);
  });

  it('is told to be missing when it is too large, over the last that was kept', {
    tags: ['full'],
  }, async () => {
    const one = await on('one', { maxSnapshotBytes: 5_000 });
    await writeFile(join(one.path, 'README.md'), 'kept\n');
    await one.keep?.();
    for (let count = 0; count < 20; count += 1)
      await writeFile(join(one.path, `${count}.bin`), Buffer.from(randomBytes(900)));
    await one.keep?.();
    const { length } = snapshots.keeps;
    // Nothing changed: it is as large as before.
    await one.keep?.();
    expect(snapshots.keeps).toHaveLength(length);
    const other = await on('other');
    expect(other.state).toBe('restored');
    expect(other.moved?.missing).toMatch(/it takes 1 MB, and at most 1 MB are kept/);
    expect(await readFile(join(other.path, 'README.md'), 'utf8')).toBe('kept\n');
  });

  it.each([
    ['cut off', (bundle: Uint8Array) => bundle.slice(0, -30)],
    [
      'changed',
      (bundle: Uint8Array) => bundle.map((byte, at) => (at === bundle.length - 40 ? byte ^ 1 : byte)),
    ],
    ['empty', () => new Uint8Array()],
  ])(
    'goes on from the branch when what was kept is %s, and says why',
    { tags: ['full'] },
    async (_, damage) => {
      const one = await on('one');
      await writeFile(join(one.path, 'README.md'), 'kept\n');
      await one.keep?.();
      const { about, bundle } = snapshots.kept.get('run-1') ?? { about: '', bundle: null };
      snapshots.kept.set('run-1', { about, bundle: damage(bundle ?? new Uint8Array()) });
      const other = await on('other');
      expect(other.state).toBe('created');
      expect(other.moved?.missing).toMatch(/^its snapshot cannot be read/);
      expect(await readFile(join(other.path, 'README.md'), 'utf8')).toBe('shop\n');
      // What is here now is what counts, for the next machine as well.
      expect((await on('one')).state).toBe('restored');
    },
  );

  it('does not wait for a pipe under the name of rules of git', { tags: ['full'] }, async () => {
    const one = await on('one', { timeoutMs: 1_500 });
    await execute('mkfifo', [join(one.path, '.gitignore')]);
    await writeFile(join(one.path, 'new.txt'), 'x');
    await one.keep?.();
    const other = await on('other');
    expect(other.moved).toMatchObject({ leftOut: [], missing: null });
    expect(await listFiles(other.path)).toMatchObject({ 'new.txt': 'x' });
  });

  it.each([
    ['died', () => on('one')],
    ['could not reach the store', null],
  ])(
    'is kept once more where its process %s after it had looked at the files [NX-175]',
    { tags: ['full'] },
    async (_, openAgain) => {
      let isAway = false;
      const keep: typeof snapshots.keep = (...given) =>
        isAway ? Promise.reject(new Error('away')) : snapshots.keep(...given);
      const one = await openOn(bed, 'one', { snapshots: { ...snapshots, keep } });
      await writeFile(join(one.path, 'new.txt'), 'x');
      isAway = true;
      await expect(one.keep?.()).rejects.toThrow('away');
      isAway = false;
      const next = (await openAgain?.()) ?? one;
      await next.keep?.();
      const { length } = snapshots.keeps;
      await next.keep?.();
      expect(snapshots.keeps).toHaveLength(length);
      expect(await listFiles((await on('other')).path)).toMatchObject({ 'new.txt': 'x' });
    },
  );

  it('is kept again after what a process that died half wrote', { tags: ['full'] }, async () => {
    const one = await on('one');
    const place = join(one.gitDirectories[0] ?? '', 'worktrees/run-1/snapshots');
    await writeFile(join(place, 'index'), 'nonsense');
    await writeFile(join(place, 'index.lock'), '');
    await writeFile(join(one.path, 'new.txt'), 'x');
    await one.keep?.();
    const other = await on('other');
    expect(await listFiles(other.path)).toEqual(await listFiles(one.path));
  });

  it('is neither kept nor looked at on a machine that works alone', { tags: ['full'] }, async () => {
    const alone = await bed.workspaces().open(bed.task());
    expect(alone).toMatchObject({ state: 'created', moved: null, keep: null });
    const { stdout } = await execute('ls', [join(alone.gitDirectories[0] ?? '', 'worktrees/run-1')]);
    expect(stdout).not.toContain('snapshots');
  });
});
