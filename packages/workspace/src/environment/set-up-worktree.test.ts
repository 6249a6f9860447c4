import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CommandPlace, createCommandPlace } from '../tools/command-place.ts';
import type { SetupPlan } from './choose-environment.ts';
import { setUpWorktree } from './set-up-worktree.ts';
import { openSetupCache, removeOldSetups } from './setup-cache.ts';

let root: string;
let places: CommandPlace[];

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'set-up-')));
  places = [];
});

afterEach(async () => {
  for (const place of places) await place.close();
  await rm(root, { recursive: true, force: true });
});

const plan: SetupPlan = {
  commands: ['mkdir made; echo "$MODE" > made/mode; ln -s mode made/link', 'echo cache > ~/cache'],
  locks: ['lock'],
  keep: ['made', '~/cache'],
  timeoutMs: 20_000,
  onFailure: 'continue',
};

interface Setup {
  readonly worktree?: string;
  readonly branch?: string | null;
  readonly earlierKey?: string | null;
  readonly change?: Partial<SetupPlan>;
  readonly mode?: string;
}

/** Sets up a worktree as a new process does: with a home of its own. */
async function setUp({
  worktree = 'one',
  branch = 'main',
  earlierKey = null,
  change,
  mode = 'test',
}: Setup = {}) {
  const path = join(root, worktree);
  await mkdir(path, { recursive: true });
  const environment = { MODE: mode };
  const sandbox = { kind: 'none', mode: 'off' } as const;
  const place = createCommandPlace({ workspacePath: path, homesDirectory: root, sandbox, environment });
  places.push(place);
  const cache = branch === null ? null : openSetupCache({ directory: root, repository: 'acme/shop', branch });
  const options = { worktree: path, place, variables: environment, cache, earlierKey, now: () => 0 };
  const result = await setUpWorktree({ ...options, plan: { ...plan, ...change } });
  return { result, path, home: await place.home() };
}

describe('the set-up of a worktree', () => {
  it('runs its commands once, and tells the time of each [NX-212]', async () => {
    const { result, path } = await setUp();
    if (result.kind !== 'done') return expect(result.kind).toBe('done');
    expect(result.steps).toEqual(plan.commands.map((command) => ({ command, seconds: 0 })));
    expect(await readFile(join(path, 'made/mode'), 'utf8')).toBe('test\n');
    const again = await setUp({ earlierKey: result.key, change: { commands: ['exit 1'] } });
    expect(again.result).toEqual({ kind: 'unchanged' });
    // The home is a new one, as the worktree is not.
    expect(await readFile(join(again.home, 'cache'), 'utf8')).toBe('cache\n');
  });

  it('restores what it made where the locks are the same, files, links and home [NX-212]', async () => {
    await setUp();
    const { result, path, home } = await setUp({ worktree: 'two' });
    expect(result.kind).toBe('restored');
    expect(await readFile(join(path, 'made/mode'), 'utf8')).toBe('test\n');
    expect(await readlink(join(path, 'made/link'))).toBe('mode');
    expect(await readFile(join(home, 'cache'), 'utf8')).toBe('cache\n');
  });

  it('runs again where a lock, a command or a variable differs [NX-212]', async () => {
    await setUp();
    await mkdir(join(root, 'two'));
    await writeFile(join(root, 'two/lock'), 'changed');
    const different = [
      { worktree: 'two' },
      { worktree: 'three', mode: 'x' },
      { worktree: 'four', change: { commands: ['true'] } },
    ];
    for (const one of different) expect((await setUp(one)).result.kind).toBe('done');
  });

  it('takes nothing that another branch left, and gives it nothing: a fork and the base share no cache [NX-215]', async () => {
    await setUp({ branch: 'branch agent/issue-1' });
    expect((await setUp({ worktree: 'two', branch: 'base main' })).result.kind).toBe('done');
    expect((await setUp({ worktree: 'three', branch: 'branch agent/issue-2' })).result.kind).toBe('done');
    expect((await setUp({ worktree: 'four', branch: 'base main' })).result.kind).toBe('restored');
  });

  it('keeps copies: what a command does to its files later, no other worktree gets [NX-215]', async () => {
    const { path } = await setUp();
    await writeFile(join(path, 'made/mode'), 'poisoned');
    const { path: other } = await setUp({ worktree: 'two' });
    expect(await readFile(join(other, 'made/mode'), 'utf8')).toBe('test\n');
  });

  it('does not follow a link out of the worktree, neither in nor out [NX-215]', async () => {
    await mkdir(join(root, 'outside/deep'), { recursive: true });
    await writeFile(join(root, 'outside/deep/secret'), 'secret');
    const change = { commands: [`ln -s ${join(root, 'outside')} way`], keep: ['way/deep'] };
    await expect(setUp({ change })).rejects.toThrow('way/deep');
    await setUp({ worktree: 'two', change: { commands: ['mkdir -p way/deep'], keep: ['way/deep'] } });
    await mkdir(join(root, 'three'));
    await symlink(join(root, 'outside'), join(root, 'three/way'));
    const there = { worktree: 'three', change: { commands: ['mkdir -p way/deep'], keep: ['way/deep'] } };
    await expect(setUp(there)).rejects.toThrow('way/deep');
    expect(await readFile(join(root, 'outside/deep/secret'), 'utf8')).toBe('secret');
  });

  it('ends at the first command that fails, tells how, and keeps nothing [NX-212]', async () => {
    const change = { commands: ['echo one; false; echo two', 'echo three'] };
    const { result } = await setUp({ change });
    expect(result).toMatchObject({
      kind: 'failed',
      command: change.commands[0],
      failure: 'exit code 1',
      output: 'Exit code: 1\none',
    });
    expect((await setUp({ worktree: 'two', change })).result.kind).toBe('failed');
  });

  it('has one time for all its commands [NX-212]', async () => {
    const { result } = await setUp({ change: { commands: ['sleep 60'], timeoutMs: 200 } });
    expect(result).toMatchObject({ kind: 'failed', failure: 'timeout' });
  });
});

describe('what set-ups left', () => {
  it('is the last three of a branch, and goes when nobody used it for long [NX-215]', async () => {
    for (const mode of ['a', 'b', 'c', 'd', 'e']) await setUp({ worktree: mode, mode });
    const [branch = ''] = await readdir(join(root, '.set-ups'));
    const kept = await readdir(join(root, '.set-ups', branch));
    expect(kept).toHaveLength(3);
    await utimes(join(root, '.set-ups', branch, kept[0] ?? ''), 1, 1);
    await removeOldSetups({ directory: root, before: 1_000_000 });
    expect(await readdir(join(root, '.set-ups', branch))).toHaveLength(2);
    await removeOldSetups({ directory: root, before: Number.POSITIVE_INFINITY });
    expect(await readdir(join(root, '.set-ups'))).toEqual([]);
    await removeOldSetups({ directory: join(root, 'nothing'), before: 0 });
  });
});
