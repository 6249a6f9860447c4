import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createOutgoingGate } from '@agent/text/outgoing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startWorkspaceBed, type WorkspaceBed } from '../testing/workspace-bed.ts';
import type { TaskWorkspace } from '../worktrees/task-workspace.ts';
import { nothingAllowedYet } from './judge-push.ts';

let bed: WorkspaceBed;
beforeEach(async () => {
  bed = await startWorkspaceBed();
});
afterEach(() => bed.close());

const branch = 'agent/issue-1-fix';
const workflow = '.github/workflows/ci.yml';
const key = ['npm', '_', 'aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xYzA1b'].join('');
const allowance = nothingAllowedYet;

async function write(workspace: TaskWorkspace, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(workspace.path, path, '..'), { recursive: true });
    await writeFile(join(workspace.path, path), content);
  }
  await workspace.commitAll(() => 'work');
}

const pushed = (path: string) => bed.server.git('acme/shop', 'show', `${branch}:${path}`).catch(() => null);

describe('a push of a protected path', () => {
  it('is refused, and goes out without it once it is left out; the worktree keeps the file', async () => {
    const workspace = await bed.workspaces().open(bed.task());
    await write(workspace, { [workflow]: 'on: push\n', 'b.txt': 'b\n' });
    await expect(workspace.push()).rejects.toMatchObject({ code: 'changes-held', paths: [workflow] });
    const work = await workspace.outgoing.inspect({ allowance });
    expect(work).toMatchObject({
      held: [{ path: workflow, rule: '.github/workflows/**', patch: expect.stringContaining('+on: push') }],
      rest: { paths: ['b.txt'], patch: expect.stringContaining('+b') },
      secrets: [],
      drafts: [],
    });
    await workspace.outgoing.leaveOut({ paths: [workflow], toMessage: (paths) => `work on ${paths}` });
    const { sha } = await workspace.push();
    expect(await bed.server.git('acme/shop', 'log', '--format=%s', `main..${sha}`)).toBe('work on b.txt');
    expect(await pushed(workflow)).toBeNull();
    expect(await readFile(join(workspace.path, workflow), 'utf8')).toBe('on: push\n');
  });

  it('goes out once exactly its patch is allowed, also after the rest, and not after another edit', async () => {
    const workspace = await bed.workspaces().open(bed.task());
    await write(workspace, { [workflow]: 'on: push\n', 'b.txt': 'b\n' });
    const id = (await workspace.outgoing.inspect({ allowance }))?.held[0]?.id ?? '';
    await workspace.outgoing.leaveOut({ paths: [workflow], toMessage: () => 'rest' });
    await workspace.push();
    const allowed = { ...allowance, patches: [id] };
    await write(workspace, { [workflow]: 'on: pull_request_target\n' });
    await expect(workspace.push({ allowance: allowed })).rejects.toMatchObject({ code: 'changes-held' });
    await write(workspace, { [workflow]: 'on: push\n' });
    // Two commits were there in between: one of them held the other content.
    await workspace.outgoing.leaveOut({ paths: [], toMessage: () => 'ci' });
    await workspace.push({ allowance: allowed });
    expect(await pushed(workflow)).toBe('on: push');
    expect(await bed.server.git('acme/shop', 'log', '-p', branch)).not.toContain('pull_request_target');
  });

  it('goes out if its path was named before', async () => {
    const workspace = await bed.workspaces().open(bed.task());
    await write(workspace, { [workflow]: 'on: push\n' });
    await workspace.push({ allowance: { ...allowance, paths: [workflow] } });
    expect(await pushed(workflow)).toBe('on: push');
  });

  it('is refused if only an earlier commit contains it', async () => {
    const workspace = await bed.workspaces().open(bed.task());
    await write(workspace, { [workflow]: 'on: push\n', 'b.txt': 'b\n' });
    await rm(join(workspace.path, '.github'), { recursive: true });
    await workspace.commitAll(() => 'without');
    await expect(workspace.push()).rejects.toMatchObject({ code: 'changes-held' });
    expect(await workspace.outgoing.inspect({ allowance })).toMatchObject({ held: [], isBuried: true });
    await workspace.outgoing.leaveOut({ paths: [], toMessage: () => 'one' });
    await workspace.push();
    expect(await bed.server.git('acme/shop', 'log', '-p', branch)).not.toContain('on: push');
  });

  it('leaves a branch without a commit if nothing else changed', async () => {
    const workspace = await bed.workspaces().open(bed.task());
    await write(workspace, { [workflow]: 'on: push\n' });
    await workspace.outgoing.leaveOut({ paths: [workflow], toMessage: () => 'none' });
    expect(await workspace.hasCommits()).toBe(false);
    await workspace.commitAll(() => 'again');
    expect((await workspace.outgoing.inspect({ allowance }))?.held).toHaveLength(1);
  });

  it('holds modes, links, deletions and renames as git reports them', async () => {
    await bed.server.commit('acme/shop', {
      branch: 'main',
      files: {
        '.husky/pre-commit': 'x\n',
        '.npmrc': 'a=b\n',
        CODEOWNERS: '* @a\n',
        '.gitlab-ci.yml': 'include: /ci/a.yml\n',
        'ci/a.yml': 'include: b.yml\n',
        'b.yml': 'x: 1\n',
      },
    });
    const workspace = await bed.workspaces().open(bed.task());
    await chmod(join(workspace.path, '.husky/pre-commit'), 0o755);
    await rm(join(workspace.path, '.npmrc'));
    await rm(join(workspace.path, 'CODEOWNERS'));
    await symlink('../.husky/pre-commit', join(workspace.path, 'src/link'));
    await write(workspace, { OWNERS: '* @a\n', 'b.yml': 'x: 2\n' });
    const work = await workspace.outgoing.inspect({ allowance });
    const expected = ['.husky/pre-commit', '.npmrc', 'CODEOWNERS', 'b.yml', 'src/link'];
    expect(work?.held.map(({ path }) => path)).toEqual(expected);
    await workspace.outgoing.leaveOut({ paths: expected, toMessage: () => 'rest' });
    await workspace.push();
    expect(await pushed('.npmrc')).toBe('a=b');
    expect(await pushed('OWNERS')).toBe('* @a');
    expect(await bed.server.git('acme/shop', 'ls-tree', branch, '--', '.husky/')).toMatch(/^100644/);
  });

  it('holds what CI files of the server name, from file to file', async () => {
    const files = {
      '.gitlab-ci.yml': 'job: { trigger: { include: ci/child.yml } }\n',
      'ci/child.yml': 'include: { project: acme/shop, file: deep.yml }\n',
      'deep.yml': 'x: 1\n',
      [workflow]: 'jobs: { a: { steps: [{ uses: ./tools/x }] } }\n',
      'tools/x/action.yml': 'runs: { using: composite, steps: [{ uses: ./tools/y }] }\n',
    };
    await bed.server.commit('acme/shop', { branch: 'main', files });
    const workspace = await bed.workspaces().open(bed.task());
    const changed = ['ci/child.yml', 'deep.yml', 'tools/x/run.sh', 'tools/y/run.sh'];
    await write(workspace, Object.fromEntries([...changed, 'ci/other.yml'].map((path) => [path, 'y: 2\n'])));
    const work = await workspace.outgoing.inspect({ allowance });
    expect(work?.held.map(({ path }) => path)).toEqual(changed);
  });

  it('is held if a merge of an own commit brings it', async () => {
    const workspace = await bed.workspaces().open(bed.task());
    await mkdir(join(workspace.path, '.github/workflows'), { recursive: true });
    await writeFile(join(workspace.path, workflow), 'on: push\n');
    // Without a sandbox a command can do this.
    const settings = ['-c', 'user.name=a', '-c', 'user.email=a@example.org', '-c', 'commit.gpgsign=false'];
    const run = async (...args: string[]) =>
      (await promisify(execFile)('git', [...settings, ...args], { cwd: workspace.path })).stdout.trim();
    const tip = await run('rev-parse', 'HEAD');
    await run('add', '-A');
    const tree = await run('write-tree');
    const own = await run('commit-tree', tree, '-p', tip, '-m', 'own');
    const merge = await run('commit-tree', tree, '-p', tip, '-p', own, '-m', 'merge');
    await run('update-ref', `refs/heads/${branch}`, merge);
    expect((await workspace.outgoing.inspect({ allowance }))?.held).toMatchObject([{ path: workflow }]);
    await expect(workspace.push()).rejects.toMatchObject({ code: 'changes-held', paths: [workflow] });
    expect(await pushed(workflow)).toBeNull();
  });

  it('stays out of a push on top of what others pushed, and in the worktree', async () => {
    const workspace = await bed.workspaces().open(bed.task());
    await write(workspace, { [workflow]: 'on: push\n', 'b.txt': 'b\n' });
    await workspace.outgoing.leaveOut({ paths: [workflow], toMessage: () => 'rest' });
    const theirs = await bed.server.commit('acme/shop', { branch, files: { 'theirs.txt': 't\n' } });
    const { sha } = await workspace.push();
    expect(await bed.server.git('acme/shop', 'rev-parse', `${sha}^`)).toBe(theirs);
    expect([await pushed(workflow), await pushed('b.txt')]).toEqual([null, 'b']);
    expect(await readFile(join(workspace.path, workflow), 'utf8')).toBe('on: push\n');
    expect(await readFile(join(workspace.path, 'theirs.txt'), 'utf8')).toBe('t\n');
    await workspace.commitAll(() => 'again');
    expect((await workspace.outgoing.inspect({ allowance }))?.held).toMatchObject([{ path: workflow }]);
  });

  it('does not hold what the base branch brought in by a merge', async () => {
    const workspace = await bed.workspaces().open(bed.task());
    await write(workspace, { 'b.txt': 'b\n' });
    await bed.server.commit('acme/shop', { branch: 'main', files: { [workflow]: 'on: push\n' } });
    await workspace.merging.mergeBase('Merge main');
    await workspace.commitAll(() => 'merged');
    expect(await workspace.outgoing.inspect({ allowance })).toMatchObject({ held: [], isBuried: false });
    await write(workspace, { '.npmrc': 'x=y\n' });
    await workspace.outgoing.leaveOut({ paths: ['.npmrc'], toMessage: () => 'rest' });
    await workspace.push();
    expect(await pushed(workflow)).toBe('on: push');
    expect(await pushed('.npmrc')).toBeNull();
  });
});

describe('a held patch', () => {
  it('is marked if a comment would not show it as it is', async () => {
    const places = [{ value: '/srv/agent', name: 'the directory of runs' }] as never;
    const gate = createOutgoingGate({ secrets: [], places });
    const workspace = await bed.workspaces({ gate }).open(bed.task());
    const plain = 'uses: actions/checkout@v4 # see #12, fixes it\r\n';
    await write(workspace, { [workflow]: plain, CODEOWNERS: '* @a\u202e\n', '.npmrc': '`````\n' });
    const work = await workspace.outgoing.inspect({ allowance });
    expect(work?.held.map(({ path, isAltered }) => [path, isAltered])).toEqual([
      [workflow, false],
      ['.npmrc', false],
      ['CODEOWNERS', true],
    ]);
  });
});

describe('rules for paths', () => {
  it('come from the operator, and .agent.yml of the base branch only makes them stricter', async () => {
    const files = { '.agent.yml': 'protected_paths: { "src/**": hold, ".npmrc": allow }\n' };
    await bed.server.commit('acme/shop', { branch: 'main', files });
    const protection = () => ({ rules: { CODEOWNERS: 'draft' as const }, readsFile: true });
    const workspace = await bed.workspaces({ protection }).open(bed.task());
    await write(workspace, { CODEOWNERS: '*\n', 'src/a.txt': 'new\n', '.npmrc': 'a=b\n' });
    const work = await workspace.outgoing.inspect({ allowance });
    expect(work?.held.map(({ path }) => path)).toEqual(['.npmrc', 'src/a.txt']);
    expect(work?.drafts).toEqual(['CODEOWNERS']);
  });
});

describe('a possible secret', () => {
  it('holds its file, and is pushed once exactly its value is allowed in that file', async () => {
    const gate = createOutgoingGate({ secrets: [], places: [] });
    const workspace = await bed.workspaces({ gate }).open(bed.task());
    await write(workspace, { 'a.txt': `key ${key}\n`, 'b.txt': 'b\n' });
    const work = await workspace.outgoing.inspect({ allowance });
    expect(work?.secrets).toMatchObject([
      { path: 'a.txt', line: 1, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ]);
    expect(work?.rest?.paths).toEqual(['b.txt']);
    const sha256 = work?.secrets[0]?.sha256 ?? '';
    const elsewhere = { ...allowance, secrets: [{ path: 'b.txt', sha256 }] };
    await expect(workspace.push({ allowance: elsewhere })).rejects.toMatchObject({ code: 'secrets-found' });
    await workspace.commitAll(() => 'again');
    await workspace.push({ allowance: { ...allowance, secrets: [{ path: 'a.txt', sha256 }] } });
    expect(await pushed('a.txt')).toContain(key);
  });
});

describe('a worktree without held files', () => {
  it('has the server’s versions meanwhile and its own afterwards, also if the process crashed', async () => {
    await bed.server.commit('acme/shop', { branch: 'main', files: { '.npmrc': 'old\n' } });
    const workspace = await bed.workspaces().open(bed.task());
    await write(workspace, { [workflow]: 'on: push\n', '.npmrc': 'new\n', 'b.txt': 'b\n' });
    const read = (path: string) => readFile(join(workspace.path, path), 'utf8').catch(() => null);
    const paths = [workflow, '.npmrc'];
    const seen = await workspace.outgoing.without(paths, async () => {
      await writeFile(join(workspace.path, 'coverage.txt'), 'x');
      await writeFile(join(workspace.path, '.npmrc'), 'changed by a check');
      return [await read(workflow), await read('b.txt')];
    });
    expect(seen).toEqual([null, 'b\n']);
    expect([await read(workflow), await read('.npmrc'), await read('coverage.txt')]).toEqual([
      'on: push\n',
      'new\n',
      null,
    ]);
    const never = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const left = workspace.outgoing.without(paths, async () => {
      begun.resolve();
      await never.promise;
    });
    await begun.promise;
    expect(await read('.npmrc')).toBe('old\n');
    await bed.workspaces().open(bed.task());
    expect([await read(workflow), await read('.npmrc')]).toEqual(['on: push\n', 'new\n']);
    never.resolve();
    await left;
  });
});

describe('a forbidden branch', () => {
  it('is never pushed to', async () => {
    const workspace = await bed.workspaces().open(bed.task());
    await write(workspace, { 'b.txt': 'b\n' });
    await expect(workspace.push({ forbidden: ['main', branch] })).rejects.toMatchObject({
      code: 'branch-forbidden',
    });
    expect(await bed.server.git('acme/shop', 'for-each-ref', '--format=%(refname:short)')).toBe('main');
    await workspace.push({ forbidden: ['main'] });
  });
});
