// @module-tag full
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { appendProgram } from './careful-script.ts';
import { pullRequest } from './scenarios.ts';
import { openStage, type Stage } from './stage.ts';
import { readState } from './trial.ts';

let stage: Stage | null = null;
afterEach(async () => {
  await stage?.close();
  stage = null;
});

/** Says in a file that it is at work, then takes long enough to be outlived by the next start of the daemon. */
const slowProgram = `import { writeFileSync } from 'node:fs';
writeFileSync('started.txt', 'yes');
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500);
${appendProgram}`;

/** Waits until the command has begun, in the one worktree that there is. */
async function waitForCommand({ world }: Stage): Promise<void> {
  const worktrees = join(world.directory, 'workspaces', 'worktrees');
  for (let round = 0; round < 2_000; round += 1) {
    const [uuid = ''] = await readdir(worktrees).catch(() => []);
    const text = await readFile(join(worktrees, uuid, 'started.txt'), 'utf8').catch(() => '');
    if (text === 'yes') return;
    await delay(10);
  }
  throw new Error('the command did not begin');
}

it('a command that outlives its daemon changes nothing behind the back of the next one [RL-9]', async () => {
  stage = await openStage(pullRequest, { 'append.js': slowProgram });
  const daemon = stage.start();
  await waitForCommand(stage);
  daemon.child.kill('SIGKILL');
  await daemon.exited;
  expect((await stage.live(null)).exit.code).toBe(0);
  const { forge, machine } = await readState(stage);
  expect(forge.branches.map(({ log }) => log)).toContain('one line');
  expect(machine.processes).toEqual([]);
});
