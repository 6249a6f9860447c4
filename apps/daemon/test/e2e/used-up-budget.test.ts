// @module-tag full
import { afterEach, describe, expect, it } from 'vitest';
import { startDaemonProcess } from '../support/daemon-process.ts';
import { fixScript } from '../support/fix-script.ts';
import { repository, startWorld, type World } from '../support/world.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

describe('a process with --once whose budget of the day is used up', () => {
  it('says which budget and until when, fails no task, begins none, and exits with 1 [NX-196]', async () => {
    const at = await startWorld({
      script: fixScript,
      llm: { prices: { 'scripted-model': { input: 1, output: 1, max_output_tokens: 400 } } },
      config: { limits: { max_cost: { day: 0.000_001 } }, concurrency: 1 },
    });
    world = at;
    const open = () =>
      at.gitHub.openIssue({
        repo: repository,
        author: 'alice',
        title: 'The total is wrong',
        body: 'It forgets the quantity.',
        labels: ['coding agent'],
      }).number;
    const [first, second] = [open(), open()];
    for (const start of ['the first', 'the next']) {
      const { code, output } = await startDaemonProcess(at.configFile).exited;
      expect(code, start).toBe(1);
      expect(output, start).toMatch(
        /agent-daemon: The budget of the day is used up \(\d{4}-\d\d-\d\d\) \(→ [^)]* UTC\)\. Tasks start again after midnight/,
      );
    }
    const labels = [first, second].map((number) => at.thread(number).labels.join()).toSorted();
    expect(labels).toEqual(['coding agent', 'coding agent processing']);
  });
});
