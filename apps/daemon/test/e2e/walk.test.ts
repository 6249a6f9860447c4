// @module-tag full
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type DaemonExit,
  type DaemonProcess,
  runDaemonCommand,
  startDaemonProcess,
} from '../support/daemon-process.ts';
import { fixScript } from '../support/fix-script.ts';
import type { Forge, ForgeThread } from '../support/forge.ts';
import { createModelGate } from '../support/model-gate.ts';
import { sampleOf } from '../support/samples.ts';
import { until } from '../support/until.ts';
import { startWorld, type World } from '../support/world.ts';

const seed = { title: 'The total is wrong', body: 'It forgets the quantity.', labels: ['coding agent'] };
const head = { headBranch: 'alice/total', files: { 'NOTES.md': 'Alice was here.\n' } };

const walks = [
  ['an issue on github', 'github', (forge: Forge) => forge.openIssue(seed)],
  ['a merge request on gitlab', 'gitlab', (forge: Forge) => forge.openChangeRequest({ ...seed, ...head })],
] as const;

const paused = 'The task is paused and will be resumed later.';
const resumed = 'Resuming the paused task.';
const stopped = '## ⛔ Task stopped';

/** What can be seen of the one run at any time: on its thread, and where runs are kept. */
async function stationOf(at: World, { reference }: ForgeThread) {
  const { labels, comments } = at.forge.thread(reference);
  return {
    labels,
    comments: comments.map(({ body }) => body.split('\n').find((line) => /^\w|^#/.test(line))),
    running: await at.runs.list('running'),
    paused: await at.runs.list('paused'),
    completed: await at.runs.list('completed'),
    control: await at.runs.listAsked(),
  };
}

const nowhere = { running: [], paused: [], completed: [], control: [] };

describe.each(sampleOf(walks, ([, name]) => name === 'gitlab'))(
  'the life of a run, station by station: %s',
  (_, name, open) => {
    const gate = createModelGate();
    let world: World;
    let thread: ForgeThread;
    let task = '';
    let uuid = '';
    let daemon: DaemonProcess;
    beforeAll(async () => {
      world = await startWorld({
        script: fixScript,
        forges: [name],
        onModelRequest: gate.onModelRequest,
        config: {
          poll_interval_seconds: 0.1,
          task_stop: { min_check_interval_seconds: 0 },
          // Each station says in a comment of its own what became of the run.
          report: { style: 'seed' },
        },
      });
      thread = await open(world.forge);
      task = `acme/shop${thread.reference}`;
      daemon = startDaemonProcess(world.configFile, { flags: [] });
    });
    afterAll(async () => {
      daemon.child.kill('SIGKILL');
      await daemon.exited;
      await world.close();
    });

    const command = (...words: string[]): Promise<DaemonExit> => runDaemonCommand(world.configFile, words);
    const station = () => stationOf(world, thread);
    const atWork = () => ({ ...nowhere, labels: ['coding agent processing'], running: [uuid] });
    const atRest = () => ({ ...nowhere, labels: ['coding agent paused'], paused: [uuid] });
    const atEnd = () => ({ ...nowhere, labels: ['coding agent stopped'], completed: [uuid] });
    const isPaused = async (): Promise<boolean> => (await station()).paused.includes(uuid);

    /** Waits until the daemon has looked for work twice more. */
    async function waitForPolls(): Promise<void> {
      const before = world.forge.pollCount();
      await until('the daemon looks for work', () => world.forge.pollCount() >= before + 2);
    }

    it('it is at work, and no second daemon may work in its directory [RL-11]', async () => {
      await gate.asked(1);
      [uuid = ''] = (await station()).running;
      expect(await station()).toEqual({ ...atWork(), comments: [] });
      const second = await startDaemonProcess(world.configFile).exited;
      const owner = `process ${daemon.child.pid}`;
      expect(second).toMatchObject({ code: 1, output: expect.stringContaining(owner) });
      const { output } = await command('status');
      expect(output).toContain(owner);
      expect(output).toMatch(new RegExp(`${task} .*running`));
    });

    it('paused by name, it stops after its step, says so, and stays so [RL-2, RL-4, RL-8]', async () => {
      expect(await command('pause', task)).toMatchObject({ code: 0, output: expect.stringContaining(task) });
      gate.letThrough();
      await until('the run is paused', isPaused);
      const held = { ...atRest(), control: [`${uuid}.pause`], comments: [paused] };
      expect(await station()).toEqual(held);
      await waitForPolls();
      expect(await station()).toEqual(held);
      expect((await command('status')).output).toMatch(new RegExp(`${task} .*paused`));
    });

    it('resumed by name, it says so and goes on as the same run [RL-5]', async () => {
      expect((await command('resume', task)).code).toBe(0);
      await gate.asked(2);
      expect(await station()).toEqual({ ...atWork(), comments: [paused, resumed] });
    });

    it('paused with everything else, it rests for as long as the signal stands [RL-2, RL-4, RL-5]', async () => {
      expect((await command('pause')).code).toBe(0);
      gate.letThrough();
      await until('the run is paused again', isPaused);
      expect(await station()).toEqual({ ...atRest(), comments: [paused, resumed, paused] });
      expect((await command('status')).output).toContain('Everything is paused (by ');
      expect((await command('resume')).code).toBe(0);
      await gate.asked(3);
      expect(await station()).toEqual({ ...atWork(), comments: [paused, resumed, paused, resumed] });
    });

    it('at SIGTERM it finishes its step, is saved, and nothing is said; the next start goes on [RL-12, X16]', async () => {
      daemon.child.kill('SIGTERM');
      await daemon.printed(/shutting down; a second signal/);
      gate.letThrough();
      expect((await daemon.exited).code).toBe(143);
      const left = { ...atWork(), comments: [paused, resumed, paused, resumed] };
      expect(await station()).toEqual(left);
      expect((await command('status')).output).toMatch(/No daemon is running/);
      daemon = startDaemonProcess(world.configFile, { flags: [] });
      await gate.asked(4);
      expect(await station()).toEqual(left);
    });

    it('after SIGKILL the next start replaces the dead owner at once and goes on [RL-9, RL-11]', async () => {
      daemon.child.kill('SIGKILL');
      expect((await daemon.exited).signal).toBe('SIGKILL');
      gate.letThrough();
      daemon = startDaemonProcess(world.configFile, { flags: [] });
      await gate.asked(5);
      expect(await station()).toEqual({ ...atWork(), comments: [paused, resumed, paused, resumed] });
    });

    it('stopped by a part of its uuid, it ends for good [RL-2, RL-7, RL-8]', async () => {
      expect((await command('stop', uuid.slice(0, 8))).code).toBe(0);
      gate.letThrough();
      // The last question is for the final summary.
      await gate.asked(6);
      gate.letThrough();
      await until('the run is stopped', async () => (await station()).completed.includes(uuid));
      await until('what was asked is removed', async () => (await station()).control.length === 0);
      const ended = { ...atEnd(), comments: [paused, resumed, paused, resumed, stopped] };
      expect(await station()).toEqual(ended);
      expect((await command('status')).output).toMatch(new RegExp(`${task} .*stopped`));
      const again = await command('resume', task);
      expect(again).toMatchObject({
        code: 1,
        output: expect.stringContaining('is already finished (stopped)'),
      });
      await waitForPolls();
      expect(await station()).toEqual(ended);
    });

    it('labeled again, its thread begins a new task, which nothing disturbs [RL-7]', {
      tags: ['release'],
    }, async () => {
      gate.letThrough({ forEver: true });
      world.forge.addLabels(thread.reference, ['coding agent']);
      await until('the new run is done', async () => (await station()).completed.length === 2);
      const { labels, comments } = await station();
      expect(labels).toEqual(['coding agent done']);
      expect(comments.slice(-3)).toEqual([
        stopped,
        "I'll take the earlier work into account for the current request.",
        '## ✅ Task completed',
      ]);
      daemon.child.kill('SIGTERM');
      expect((await daemon.exited).code).toBe(143);
    });
  },
);
