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
      const opening = bed.workspaces({ directory: join(blocked, 'kept') }).open(bed.task());
    await expect(opening).rejects.toMatchObject({ code: 'invalid', message: expect.stringContaining(blocked) });
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
