import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startWorkspaceBed, type WorkspaceBed } from '../../test/workspace-bed.ts';

let bed: WorkspaceBed;

beforeEach(async () => {
  bed = await startWorkspaceBed();
});

afterEach(() => bed.close());

describe('opening fails with what to do', () => {
  it('for a repository without commits', async () => {
    const empty = await bed.server.addRepository('acme/empty', null);
    await expect(
      bed.workspaces().open(bed.task({ repositoryPath: 'acme/empty', cloneUrl: empty })),
    ).rejects.toMatchObject({
      code: 'empty-repository',
      message: expect.stringContaining('Push a first commit'),
    });
  });

  it('for a wrong and a missing token, and never repeats the token', async () => {
    for (const wrong of ['ghp_wrong', null]) {
      const failure = await bed
        .workspaces({ token: () => wrong })
        .open(bed.task())
        .catch((error: unknown) => error);
      expect(failure).toMatchObject({
        code: 'unauthorized',
        message: expect.stringContaining('Set a valid token'),
      });
      expect(String(failure)).not.toContain('ghp_wrong');
    }
  });

  it('for an unknown repository, a server that is down and one that fails', async () => {
    await expect(
      bed.workspaces().open(bed.task({ cloneUrl: `${bed.server.url}/acme/nothing.git` })),
    ).rejects.toMatchObject({ code: 'not-found' });
    await expect(
      bed.workspaces().open(bed.task({ cloneUrl: 'http://127.0.0.1:9/x/y.git' })),
    ).rejects.toMatchObject({
      code: 'unavailable',
    });
    bed.server.intercept = async () => ({ status: 502 });
    await expect(bed.workspaces().open(bed.task())).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('for a missing branch', async () => {
    await expect(bed.workspaces().open(bed.task({ branchMustExist: true }))).rejects.toMatchObject({
      code: 'not-found',
    });
    await expect(bed.workspaces().open(bed.task({ baseBranch: 'trunk' }))).rejects.toMatchObject({
      code: 'not-found',
    });
  });

  it('for a git that is not there', async () => {
    const open = bed.workspaces({ gitPath: '/nowhere/git' });
    await expect(open.open(bed.task())).rejects.toMatchObject({ code: 'git-missing' });
  });

  it.each([
    { uuid: '../x' },
    { uuid: '' },
    { branch: '-x' },
    { branch: 'a..b' },
    { repositoryPath: '../..' },
    { repositoryPath: 'one' },
    { cloneUrl: 'ext::sh -c touch% /tmp/x' },
    { cloneUrl: 'http://user:pass@127.0.0.1/x.git' },
  ])('for a task whose parts could lead elsewhere: %o', async (change) => {
    const failure = await bed
      .workspaces()
      .open(bed.task(change))
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'invalid' });
    expect(String(failure)).not.toContain('pass@');
  });

  it('for a directory that cannot be made', async () => {
    const blocked = join(bed.directory, 'file');
    await writeFile(blocked, '');
    const failure = await bed
      .workspaces({ directory: join(blocked, 'kept') })
      .open(bed.task())
      .catch((error) => error);
    expect(String(failure)).toContain(blocked);
  });
});

describe('time', () => {
  it('ends a git that the server keeps waiting', async () => {
    bed.server.intercept = () => new Promise(() => undefined);
    await expect(bed.workspaces({ timeoutMs: 300 }).open(bed.task())).rejects.toMatchObject({
      code: 'unavailable',
    });
  });

  it('ends at once when the signal says so', async () => {
    const controller = new AbortController();
    bed.server.intercept = async () => {
      controller.abort(new Error('shutting down'));
      return new Promise(() => undefined);
    };
    await expect(bed.workspaces().open(bed.task(), { signal: controller.signal })).rejects.toThrow(
      'shutting down',
    );
  });
});
