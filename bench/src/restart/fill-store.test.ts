import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFileRunControls } from '@agent/run-store/file';
import { expect, it } from 'vitest';
import { fillStore, openStore } from './fill-store.ts';

it('leaves paused runs that are held, and completed ones', async () => {
  const baseDirectory = await mkdtemp(join(tmpdir(), 'fill-store-'));
  try {
    await fillStore({ baseDirectory, host: 'github.com', paused: 2, completed: 3 });
    const store = openStore(baseDirectory);
    const { runs, damaged } = await store.listPaused();
    expect(damaged).toEqual([]);
    expect(runs.map(({ metadata }) => metadata.taskKeyText).sort()).toEqual([
      'github_issue:acme:shop:1',
      'github_issue:acme:shop:2',
    ]);
    expect(await store.listInterrupted()).toEqual({ runs: [], damaged: [], pausing: [] });
    expect(await readdir(join(baseDirectory, 'completed'))).toHaveLength(3);
    const held = await createFileRunControls({ baseDirectory }).list();
    expect(held.map(({ uuid }) => uuid).sort()).toEqual(runs.map(({ uuid }) => uuid).sort());
  } finally {
    await rm(baseDirectory, { recursive: true });
  }
});
