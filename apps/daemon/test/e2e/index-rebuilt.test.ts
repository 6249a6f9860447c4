import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startDaemonProcess } from '../support/daemon-process.ts';
import { answerScript } from '../support/fix-script.ts';
import { listTurns } from '../support/model-requests.ts';
import { startWorld } from '../support/world.ts';

it('an index that was deleted by hand is built anew: the next run takes over from the last [CI-1, X12]', async () => {
  const world = await startWorld({
    script: answerScript,
    summarize: () => ({ summary: 'It was explained.', key_decisions: [] }),
  });
  try {
    const { reference } = world.forge.openIssue({
      title: 'Why?',
      body: 'Explain it.',
      labels: ['coding agent'],
    });
    expect((await startDaemonProcess(world.configFile).exited).code).toBe(0);
    await rm(join(world.directory, 'contexts', 'index'), { recursive: true });
    world.forge.addLabels(reference, ['coding agent']);
    const { code, output } = await startDaemonProcess(world.configFile).exited;
    expect(code).toBe(0);
    expect(output).toContain('built the index of earlier runs');
    expect(listTurns(world.model).at(-1)).toContain('It was explained.');
  } finally {
    await world.close();
  }
});
