import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startWorkspaceBed, type WorkspaceBed } from '../testing/workspace-bed.ts';

let bed: WorkspaceBed;

beforeEach(async () => {
  bed = await startWorkspaceBed();
});

afterEach(() => bed.close());

describe('a push', () => {
  it('puts our commits on top of what somebody else pushed meanwhile', { tags: ['full'] }, async () => {
    const workspace = await bed.workspaces().open(bed.task());
    await writeFile(join(workspace.path, 'ours.txt'), 'ours\n');
    await workspace.commitAll(() => 'ours');
    const theirs = await bed.server.commit('acme/shop', {
      branch: 'agent/issue-1-fix',
      files: { 'theirs.txt': 't\n' },
    });
    const { sha } = await workspace.push();
    expect(await bed.server.git('acme/shop', 'rev-parse', `${sha}^`)).toBe(theirs);
    expect(await readFile(join(workspace.path, 'theirs.txt'), 'utf8')).toBe('t\n');
  });

  it('that conflicts is refused with what to do, and keeps our commits and files', {
    tags: ['full'],
  }, async () => {
    const workspace = await bed.workspaces().open(bed.task());
    await writeFile(join(workspace.path, 'README.md'), 'ours\n');
    await workspace.commitAll(() => 'ours');
    await bed.server.commit('acme/shop', { branch: 'agent/issue-1-fix', files: { 'README.md': 'theirs\n' } });
    await expect(workspace.push()).rejects.toMatchObject({
      code: 'push-rejected',
      message: expect.stringContaining('start the task again'),
    });
    expect(await workspace.hasCommits({ since: 'start' })).toBe(true);
    expect(await readFile(join(workspace.path, 'README.md'), 'utf8')).toBe('ours\n');
    expect(await workspace.commitAll(() => 'nothing left')).toBeNull();
  });

  it('that a hook of the server refuses says what the server said', { tags: ['full'] }, async () => {
    const workspace = await bed.workspaces().open(bed.task());
    await writeFile(join(workspace.path, 'new.txt'), 'x');
    await workspace.commitAll(() => 'one');
    const hook = join(
      await bed.server.git('acme/shop', 'rev-parse', '--absolute-git-dir'),
      'hooks/pre-receive',
    );
    await writeFile(hook, '#!/bin/sh\necho GH006: protected branch; exit 1\n', { mode: 0o755 });
    await expect(workspace.push()).rejects.toMatchObject({
      code: 'push-rejected',
      message: expect.stringContaining('GH006'),
    });
  });

  it('names the branch in the way of its own name, and keeps the commits', async () => {
    const workspace = await bed.workspaces().open(bed.task());
    await writeFile(join(workspace.path, 'new.txt'), 'x');
    await workspace.commitAll(() => 'one');
    await bed.server.git('acme/shop', 'branch', 'agent', 'main');
    await expect(workspace.push()).rejects.toMatchObject({
      code: 'push-rejected',
      message: expect.stringMatching(
        /Another branch is in the way.*branch_prefix.*'refs\/heads\/agent' exists/,
      ),
    });
    expect(await workspace.hasCommits({ since: 'start' })).toBe(true);
    await bed.server.git('acme/shop', 'branch', '-D', 'agent');
    expect(await workspace.push()).toMatchObject({ sha: expect.any(String) });
  });

  it('that changes a workflow without being allowed to says which permission is missing, and goes out once it is there [NX-251]', async () => {
    const workspace = await bed.workspaces().open(bed.task());
    await mkdir(join(workspace.path, '.github/workflows'), { recursive: true });
    await writeFile(join(workspace.path, '.github/workflows/ci.yml'), 'on: push\n');
    await workspace.commitAll(() => 'ci: tests run');
    const directory = await bed.server.git('acme/shop', 'rev-parse', '--absolute-git-dir');
    const hook = join(directory, 'hooks/pre-receive');
    const refusal =
      'refusing to allow a GitHub App to create or update workflow `.github/workflows/ci.yml` without `workflows` permission';
    await writeFile(hook, `#!/bin/sh\necho '${refusal}' >&2; exit 1\n`, { mode: 0o755 });
    const allowance = { paths: ['.github/workflows/ci.yml'], patches: [], secrets: [] };
    await expect(workspace.push({ allowance })).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('the permission workflows: write'),
    });
    await rm(hook);
    const { sha } = await workspace.push({ allowance });
    expect(await bed.server.git('acme/shop', 'show', `${sha}:.github/workflows/ci.yml`)).toBe('on: push');
  });
});
