import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createFileStorage } from '@agent/run-store/file';
import { startWorkspaceBed, type WorkspaceBed } from '@agent/workspace/testing';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openReader } from '../host/open-records.ts';
import { removeExpiredWork } from './upkeep.ts';

let bed: WorkspaceBed;
beforeEach(async () => {
  bed = await startWorkspaceBed();
});
afterEach(() => bed.close());

it('removes worktrees of runs that are kept nowhere, once they are old enough [NX-62]', async () => {
  const contexts = join(bed.directory, 'contexts');
  const paused = join(bed.directory, 'paused');
  const workspaces = join(bed.directory, 'kept');
  const places = {
    running: join(contexts, 'running'),
    paused,
    failed: join(contexts, 'completed'),
  };
  for (const [uuid, place] of Object.entries(places)) {
    await mkdir(join(place, uuid), { recursive: true });
    await bed.workspaces().open(bed.task({ uuid, branch: `agent/${uuid}` }));
  }
  await bed.workspaces().open(bed.task({ uuid: 'gone', branch: 'agent/gone' }));
  const { listKept } = openReader(createFileStorage({ baseDirectory: contexts, pausedDirectory: paused }));
  const options = { workspaces, listKept, environment: process.env, logger: pino({ level: 'silent' }) };
  const worktrees = () => readdir(join(workspaces, 'worktrees'));

  await removeExpiredWork(options, Date.now() - 86_400_000);
  expect(await worktrees()).toHaveLength(4);
  await removeExpiredWork(options, Date.now() + 86_400_000);
  expect((await worktrees()).sort()).toEqual(['failed', 'paused', 'running']);
});
