import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listCommandLines, startWorkspaceBed, type WorkspaceBed } from '../testing/workspace-bed.ts';

let bed: WorkspaceBed;

beforeEach(async () => {
  bed = await startWorkspaceBed();
});

afterEach(() => bed.close());

describe('opening a workspace fails with what to do', () => {
  it('for a repository without commits', async () => {
    const empty = await bed.server.addRepository('acme/empty', null);
    const opening = bed.workspaces().open(bed.task({ repositoryPath: 'acme/empty', cloneUrl: empty }));
    await expect(opening).rejects.toMatchObject({
      code: 'empty-repository',
      message: expect.stringContaining('Push a first commit'),
    });
  });

  it('for a wrong and a missing token, and never repeats the token', async () => {
    for (const wrong of ['ghp_wrong', null]) {
      const opening = bed.workspaces({ token: () => wrong }).open(bed.task());
      const failure = await opening.catch((error: unknown) => error);
      expect(failure).toMatchObject({
        code: 'unauthorized',
        message: expect.stringContaining('Set a valid token'),
      });
      expect(String(failure)).not.toContain('ghp_wrong');
    }
  });

  it('for an unknown repository, a server that is down and one that fails', async () => {
    const open = (cloneUrl: string) => bed.workspaces().open(bed.task({ cloneUrl }));
    await expect(open(`${bed.server.url}/acme/nothing.git`)).rejects.toMatchObject({ code: 'not-found' });
    await expect(open('http://127.0.0.1:9/x/y.git')).rejects.toMatchObject({ code: 'unavailable' });
    bed.server.intercept = async () => ({ status: 502 });
    await expect(open(bed.cloneUrl)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('for a missing branch', async () => {
    for (const change of [{ branchMustExist: true }, { baseBranch: 'trunk' }]) {
      await expect(bed.workspaces().open(bed.task(change))).rejects.toMatchObject({ code: 'not-found' });
    }
  });

  it('for a branch that somebody pushed to after the task was given, and not once work has begun there [NX-22]', async () => {
    const { head, ...task } = bed.task({ head: 'a'.repeat(40) });
    await expect(bed.workspaces().open({ ...task, head })).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('was at aaaaaaaaaaaa when the task was assigned'),
    });
    await bed.workspaces().open(task);
    expect(await bed.workspaces().open({ ...task, head })).toMatchObject({ state: 'reused' });
  });

  it('for a git that is not there', async () => {
    const opening = bed.workspaces({ gitPath: '/nowhere/git' }).open(bed.task());
    await expect(opening).rejects.toMatchObject({ code: 'git-missing' });
  });

  it('for a directory that cannot be made', async () => {
    const blocked = join(bed.directory, 'file');
    await writeFile(blocked, '');
    const opening = bed.workspaces({ directory: join(blocked, 'kept') }).open(bed.task());
    await expect(opening).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining(blocked),
    });
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
});

describe('time', () => {
  it('ends a git that the server keeps waiting', async () => {
    bed.server.intercept = () => new Promise(() => undefined);
    const opening = bed.workspaces({ timeoutMs: 300 }).open(bed.task());
    await expect(opening).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('ends at once when the signal says so', async () => {
    const controller = new AbortController();
    bed.server.intercept = async () => {
      controller.abort(new Error('shutting down'));
      return new Promise(() => undefined);
    };
    const opening = bed.workspaces().open(bed.task(), { signal: controller.signal });
    await expect(opening).rejects.toThrow('shutting down');
    expect((await listCommandLines()).filter((line) => line.includes(bed.server.url))).toEqual([]);
  });
});
