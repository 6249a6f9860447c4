// @module-tag full
import { readFile, writeFile } from 'node:fs/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { quickWaits, startDaemonProcess } from '../support/daemon-process.ts';
import { fixScript } from '../support/fix-script.ts';
import { createModelGate } from '../support/model-gate.ts';
import { forgesToTry } from '../support/samples.ts';
import { until } from '../support/until.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

const issue = { title: 'The total is wrong', body: 'It forgets the quantity.', labels: ['coding agent'] };

describe.each(forgesToTry('github'))('runs on %s whose process was killed', (name) => {
  it('are queued by what their threads say while nobody carries them, and each has one comment to its end [NX-242]', async () => {
    const gate = createModelGate();
    const here = await startWorld({
      script: fixScript,
      forges: [name],
      config: { concurrency: 2 },
      onModelRequest: gate.onModelRequest,
    });
    world = here;
    const threads = [here.forge.openIssue(issue), here.forge.openIssue(issue)];
    const said = () =>
      threads.map(({ reference }) =>
        here.forge.thread(reference).statusComments.map(({ body }) => /State:\*\* (.*)/.exec(body)?.[1]),
      );
    const start = () =>
      startDaemonProcess(here.configFile, { nodeArguments: quickWaits, flags: [], alone: true });
    const first = start();
    await gate.asked(2);
    expect(said()).toEqual([['▶️ running'], ['▶️ running']]);
    first.child.kill('SIGKILL');
    await first.exited;
    const config = await readFile(here.configFile, 'utf8');
    await writeFile(here.configFile, config.replace(/concurrency: 2/, 'concurrency: 1'));
    const second = start();
    await until('one waits for the other', () => said().flat().toSorted().join() === '⏳ queued,▶️ running');
    gate.letThrough({ forEver: true });
    await until('both have ended', () =>
      threads.every(({ reference }) => here.forge.thread(reference).labels.includes('coding agent done')),
    );
    second.child.kill('SIGTERM');
    await second.exited;
    for (const { reference } of threads) {
      const { comments, statusComments } = here.forge.thread(reference);
      expect([comments.length, statusComments.length]).toEqual([1, 1]);
      expect(statusComments[0]?.body).toContain('🤖 This task has ended.');
    }
  });
});
