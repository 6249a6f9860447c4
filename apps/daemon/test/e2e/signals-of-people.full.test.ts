import { afterEach, describe, expect, it } from 'vitest';
import { startDaemonProcess } from '../support/daemon-process.ts';
import { fixScript } from '../support/fix-script.ts';
import type { ForgeThreadSeed } from '../support/forge.ts';
import { createModelGate } from '../support/model-gate.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

const seed: ForgeThreadSeed = {
  title: 'The total is wrong',
  body: 'It forgets the quantity.',
  labels: ['coding agent'],
};

describe.each(['github', 'gitlab'] as const)('a run at work, on %s', (name) => {
  /** Something happens to the issue while the model is asked for the second time; then the run ends. */
  async function runWith(happen: (at: World, reference: string) => void, issue = seed) {
    let asked = 0;
    const at = await startWorld({
      script: fixScript,
      forges: [name],
      config: { task_stop: { min_check_interval_seconds: 0 } },
      onModelRequest: async () => {
        asked += 1;
        if (asked === 2) happen(at, reference);
      },
    });
    world = at;
    const { reference } = at.forge.openIssue(issue);
    const { code, output } = await startDaemonProcess(at.configFile).exited;
    expect(code, output).toBe(1);
    const [uuid = ''] = await at.runs.list('completed');
    return { at, reference, output, uuid, calls: () => asked };
  }

  it('is stopped by closing the issue, and says so [RL-2]', async () => {
    const { at, reference, calls } = await runWith((here, issue) => here.forge.close(issue));
    const { labels, comments } = at.forge.thread(reference);
    expect(labels).toContain('coding agent stopped');
    expect(comments).toHaveLength(1);
    expect(comments[0]?.body).toContain('The issue was closed, so the task was stopped.');
    expect(at.forge.changeRequests()).toEqual([]);
    expect(calls()).toBeLessThan(5);
  });

  it('is stopped by taking away the label of a running task, and says so in the language of the issue [RL-2]', async () => {
    const { at, reference } = await runWith(
      (here, issue) => here.forge.removeLabel(issue, 'coding agent processing'),
      { ...seed, title: '合計が間違っている', body: '数量が抜けています。' },
    );
    const { labels, comments } = at.forge.thread(reference);
    expect(labels).toEqual(['coding agent stopped']);
    expect(comments[0]?.body).toContain('処理中のラベルが外されたため、タスクを停止しました。');
  });

  it('is stopped by taking away that label while the daemon is down [RL-2]', async () => {
    const gate = createModelGate();
    const at = await startWorld({ script: fixScript, forges: [name], onModelRequest: gate.onModelRequest });
    world = at;
    const { reference } = at.forge.openIssue(seed);
    const first = startDaemonProcess(at.configFile, { flags: [] });
    await gate.asked(1);
    first.child.kill('SIGKILL');
    await first.exited;
    at.forge.removeLabel(reference, 'coding agent processing');
    gate.letThrough({ forEver: true });
    const { code, output } = await startDaemonProcess(at.configFile).exited;
    expect(code, output).toBe(1);
    const { labels, comments } = at.forge.thread(reference);
    expect(labels).toEqual(['coding agent stopped']);
    expect(comments).toHaveLength(1);
    expect(comments[0]?.body).toContain('The label of a running task was removed');
    expect(at.forge.changeRequests()).toEqual([]);
  });

  it('ends as stopped where the issue is deleted, and leaves nothing that waits for it [RL-2]', async () => {
    const { at, output, uuid, calls } = await runWith((here, issue) => here.forge.deleteThread(issue));
    expect(calls()).toBeLessThan(5);
    const outcome = JSON.parse(await at.runs.readFile(uuid, 'outcome.json'));
    expect(outcome).toMatchObject({ status: 'stopped' });
    expect(output).toContain('finished task');
    const again = await startDaemonProcess(at.configFile).exited;
    expect(again.code, again.output).toBe(0);
    expect(again.output).not.toContain('failed to apply outbox entry');
  });
});
