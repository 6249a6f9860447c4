import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startWorkspaceBed, type WorkspaceBed } from '../testing/workspace-bed.ts';

let bed: WorkspaceBed;

beforeEach(async () => {
  bed = await startWorkspaceBed();
});

afterEach(() => bed.close());

/** A run on somebody's branch that committed a change and pushed nothing. */
async function failUnpushed(branch: string) {
  const failed = await bed.workspaces().open(bed.task({ branch }));
  await writeFile(join(failed.path, 'README.md'), 'half done\n');
  await writeFile(join(failed.path, 'new.txt'), 'new\n');
  await failed.commitAll(() => 'half');
  return failed;
}

const goOn = (branch: string) =>
  bed.workspaces().open(bed.task({ uuid: 'run-2', branch, goesOnFrom: 'run-1' }));

describe('a run that goes on from one whose work was not pushed', () => {
  it.each(['agent/issue-1-fix', 'agent/issue-1-another-title'])(
    'finds it in its files, on %s, and pushes it as its own [NX-45]',
    { tags: ['full'] },
    async (branch) => {
      await failUnpushed('agent/issue-1-fix');
      const next = await goOn(branch);
      expect(await readFile(join(next.path, 'README.md'), 'utf8')).toBe('half done\n');
      expect(await next.commitAll(() => 'all of it')).not.toBeNull();
      expect(await next.hasCommits({ since: 'start' })).toBe(true);
      const { sha } = await next.push();
      expect(await bed.server.git('acme/shop', 'log', '--format=%s', `main..${sha}`)).toBe('all of it');
      expect((await next.changedFiles()).map(({ path }) => path)).toEqual(['README.md', 'new.txt']);
    },
  );

  it('has it also after a process that died when it was opened [NX-45]', async () => {
    await failUnpushed('agent/issue-1-fix');
    await goOn('agent/issue-1-fix');
    const again = await goOn('agent/issue-1-fix');
    expect(again.state).toBe('reused');
    expect(await readFile(join(again.path, 'new.txt'), 'utf8')).toBe('new\n');
  });

  it('puts it on top of what people pushed meanwhile [NX-45]', { tags: ['full'] }, async () => {
    const failed = await failUnpushed('alice/total');
    const person = await bed
      .workspaces({ directory: join(bed.directory, 'person') })
      .open(bed.task({ branch: 'alice/total' }));
    await writeFile(join(person.path, 'theirs.txt'), 'theirs\n');
    await person.commitAll(() => 'theirs');
    await person.push();
    const next = await goOn(failed.branch);
    await next.commitAll(() => 'ours');
    const { sha } = await next.push();
    expect(await bed.server.git('acme/shop', 'log', '--format=%s', `main..${sha}`)).toBe('ours\ntheirs');
    expect(await bed.server.git('acme/shop', 'show', `${sha}:README.md`)).toBe('half done');
  });

  it('begins from the server where everything was pushed, or the worktree is gone', {
    tags: ['full'],
  }, async () => {
    const failed = await failUnpushed('agent/issue-1-fix');
    await failed.push();
    const next = await goOn('agent/issue-1-fix');
    expect(await next.commitAll(() => 'nothing')).toBeNull();
    await bed.workspaces().remove(bed.task());
    await rm(next.path, { recursive: true });
    const third = bed.task({ uuid: 'run-3', goesOnFrom: 'run-1', branch: 'agent/other' });
    const fresh = await bed.workspaces().open(third);
    expect(await readFile(join(fresh.path, 'README.md'), 'utf8')).toBe('shop\n');
  });
});
