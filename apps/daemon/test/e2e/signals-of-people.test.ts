// @module-tag full
import { afterEach, describe, expect, it } from 'vitest';
import { startDaemonProcess } from '../support/daemon-process.ts';
import { fixScript } from '../support/fix-script.ts';
import type { ForgeThreadSeed } from '../support/forge.ts';
import { createModelGate } from '../support/model-gate.ts';
import { listTurns } from '../support/model-requests.ts';
import { forgesToTry } from '../support/samples.ts';
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

describe.each(forgesToTry('github'))('a run at work, on %s', (name) => {
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

  it('is stopped by taking away that label while the daemon is down [RL-2]', {
    tags: ['release'],
  }, async () => {
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

  it('is resumed by reopening the issue, if a trusted user does it [RL-7]', async () => {
    const { at, reference } = await runWith((here, issue) => here.forge.close(issue));
    expect(at.forge.thread(reference).comments[0]?.body).toContain('To resume the task, reopen the issue.');
    at.forge.reopen(reference, 'bob');
    await startDaemonProcess(at.configFile).exited;
    expect(at.forge.thread(reference).labels).toEqual(['coding agent stopped']);
    at.forge.close(reference);
    at.forge.reopen(reference, 'alice');
    const { code, output } = await startDaemonProcess(at.configFile).exited;
    expect(code, output).toBe(0);
    expect(at.forge.thread(reference).labels).toEqual(['coding agent done']);
    expect(at.forge.changeRequests()).toHaveLength(1);
  });

  it('is resumed by labeling the issue again, if a trusted user does it [RL-7]', {
    tags: ['release'],
  }, async () => {
    const { at, reference } = await runWith((here, issue) =>
      here.forge.removeLabel(issue, 'coding agent processing'),
    );
    at.forge.addLabels(reference, ['coding agent'], 'bob');
    await startDaemonProcess(at.configFile).exited;
    expect(at.forge.changeRequests()).toEqual([]);
    at.forge.addLabels(reference, ['coding agent'], 'alice');
    const { code, output } = await startDaemonProcess(at.configFile).exited;
    expect(code, output).toBe(0);
    expect(at.forge.thread(reference).labels).toEqual(['coding agent done']);
    expect(at.forge.changeRequests()).toHaveLength(1);
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

describe.each(forgesToTry('gitlab'))('a run that waits, on %s', (name) => {
  /** A run is paused; something happens to the issue; then everything resumes. */
  async function pauseAnd(happen: (at: World, reference: string) => void) {
    let asked = 0;
    const at = await startWorld({
      script: fixScript,
      forges: [name],
      onModelRequest: async () => {
        asked += 1;
        if (asked !== 2) return;
        const [uuid = ''] = await at.runs.list('running');
        await at.runs.ask(uuid, 'pause');
      },
    });
    world = at;
    const { reference } = at.forge.openIssue(seed);
    await startDaemonProcess(at.configFile).exited;
    expect(at.forge.thread(reference).labels).toEqual(['coding agent paused']);
    const turns = listTurns(at.model).length;
    happen(at, reference);
    const { output } = await startDaemonProcess(at.configFile).exited;
    expect(listTurns(at.model)).toHaveLength(turns);
    const [uuid = ''] = await at.runs.list('completed');
    expect(JSON.parse(await at.runs.readFile(uuid, 'outcome.json'))).toMatchObject({ status: 'stopped' });
    return { at, reference, output };
  }

  it('ends as stopped when its issue is closed, and says so [RL-2]', { tags: ['release'] }, async () => {
    const { at, reference } = await pauseAnd((here, issue) => here.forge.close(issue));
    const { labels, comments } = at.forge.thread(reference);
    expect(labels).toEqual(['coding agent stopped']);
    expect(comments.at(-1)?.body).toContain('The issue was closed, so the task was stopped.');
  });

  it('ends as stopped when its label is removed, and says so [RL-2]', async () => {
    const { at, reference } = await pauseAnd((here, issue) =>
      here.forge.removeLabel(issue, 'coding agent paused'),
    );
    const { labels, comments } = at.forge.thread(reference);
    expect(labels).toEqual(['coding agent stopped']);
    expect(comments.at(-1)?.body).toContain('The label of a running task was removed');
  });

  it('ends as stopped when its issue is deleted, and leaves nothing open [RL-2, RL-6]', async () => {
    const { at } = await pauseAnd((here, issue) => here.forge.deleteThread(issue));
    expect(await at.runs.list('paused')).toEqual([]);
    const again = await startDaemonProcess(at.configFile).exited;
    expect(again.code, again.output).toBe(0);
  });
});
