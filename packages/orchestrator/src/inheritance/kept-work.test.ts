import { rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createMemoryRunState } from '@agent/run-store/testing';
import { startWorkspaceBed, type WorkspaceBed } from '@agent/workspace/testing';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hasStoppedWork, keepStoppedWork } from './kept-work.ts';

let bed: WorkspaceBed;
let lines: string[];
beforeEach(async () => {
  bed = await startWorkspaceBed();
  lines = [];
});
afterEach(() => bed.close());

const branch = 'agent/issue-1-fix';
const state = createMemoryRunState();
const facts = { kind: 'issue', number: 1 } as const;
const keep = (workspace: Parameters<typeof keepStoppedWork>[1]) => {
  const logger = pino({}, { write: (line: string) => void lines.push(line) });
  return keepStoppedWork({ facts, state, logger }, workspace);
};

/** A run that changed files of all kinds, and was stopped. */
async function stopRun() {
  const stopped = await bed.workspaces().open(bed.task({ branch }));
  await writeFile(join(stopped.path, 'README.md'), 'half done\n');
  await writeFile(join(stopped.path, 'new.txt'), 'new\n');
  await rm(join(stopped.path, 'src', 'a.txt'));
  await symlink('/etc/hostname', join(stopped.path, 'link'));
  await keep(stopped);
}

const openNext = (goesOnFrom: string | null) =>
  bed.workspaces().open(bed.task({ uuid: 'run-2', branch, goesOnFrom }));

describe('the work of a run that was stopped', () => {
  it('stands in the files of the run that goes on with its plan, and is known there [NX-122]', {
    tags: ['full'],
  }, async () => {
    await stopRun();
    const next = await openNext('run-1');
    expect(await hasStoppedWork(state, next)).toBe(true);
    await writeFile(join(next.path, 'new.txt'), 'newer\n');
    expect(await hasStoppedWork(state, next)).toBe(false);
  });

  it('is missed where a run begins from the server, or nothing says what it was [NX-122]', {
    tags: ['full'],
  }, async () => {
    await stopRun();
    const next = await openNext(null);
    expect(await hasStoppedWork(state, next)).toBe(false);
    expect(await hasStoppedWork(createMemoryRunState(), next)).toBe(false);
    expect(await hasStoppedWork(createMemoryRunState(), null)).toBe(true);
  });

  it('is nothing where the run had changed nothing', async () => {
    await keep(await bed.workspaces().open(bed.task({ branch })));
    expect(await hasStoppedWork(state, await openNext('run-1'))).toBe(true);
  });

  it('that cannot be kept is told in the log, and the run ends all the same', async () => {
    const stopped = await bed.workspaces().open(bed.task({ branch }));
    await rm(join(bed.directory, 'kept'), { recursive: true });
    await keep(stopped);
    expect(lines.join('')).toContain('failed to record work of stopped run');
  });
});
