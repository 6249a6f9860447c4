import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startWorkspaceBed, type WorkspaceBed } from '../testing/workspace-bed.ts';
import type { WithheldPush } from './git-repository.ts';

let bed: WorkspaceBed;

beforeEach(async () => {
  bed = await startWorkspaceBed();
});

afterEach(() => bed.close());

describe('a push that is withheld', () => {
  it('is described with its commits and files, and never reaches the server', async () => {
    const pushes: WithheldPush[] = [];
    const workspace = await bed.workspaces({ withhold: (push) => pushes.push(push) }).open(bed.task());
    await writeFile(join(workspace.path, 'README.md'), 'ours\n');
    const first = await workspace.commitAll(() => 'Change the title\n\nIt was wrong.');
    await writeFile(join(workspace.path, 'new.txt'), 'new\n');
    const second = await workspace.commitAll(() => 'Add a file');
    expect(await workspace.push()).toEqual({ sha: second?.sha });
    await writeFile(join(workspace.path, 'new.txt'), 'newer\n');
    const third = await workspace.commitAll(() => 'Change the file');
    await workspace.push();
    const place = { repository: 'acme/shop', branch: 'agent/issue-1-fix' };
    const files = [
      { path: 'README.md', change: 'modified' },
      { path: 'new.txt', change: 'added' },
    ];
    expect(pushes).toEqual([
      {
        ...{ ...place, files },
        commits: [
          { sha: first?.sha, message: 'Change the title\n\nIt was wrong.' },
          { sha: second?.sha, message: 'Add a file' },
        ],
      },
      { ...place, files, commits: [{ sha: third?.sha, message: 'Change the file' }] },
    ]);
    expect(await bed.server.git('acme/shop', 'branch', '--list', 'agent/*')).toBe('');
  });

  it('is refused as one that is sent would be', async () => {
    const pushes: WithheldPush[] = [];
    const workspace = await bed.workspaces({ withhold: (push) => pushes.push(push) }).open(bed.task());
    await mkdir(join(workspace.path, '.github', 'workflows'), { recursive: true });
    await writeFile(join(workspace.path, '.github', 'workflows', 'ci.yml'), 'on: push\n');
    await workspace.commitAll(() => 'Change the pipeline');
    await expect(workspace.push()).rejects.toMatchObject({ code: 'changes-held' });
    await expect(workspace.push({ forbidden: ['agent/issue-1-fix'] })).rejects.toMatchObject({
      code: 'branch-forbidden',
    });
    expect(pushes).toEqual([]);
  });
});
