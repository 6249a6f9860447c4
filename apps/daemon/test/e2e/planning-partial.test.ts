// @module-tag full
import { afterEach, expect, it } from 'vitest';
import { runDaemonCommand, startDaemonProcess } from '../support/daemon-process.ts';
import { fixStory, followPlan, verification } from '../support/planning-script.ts';
import { forgesToTry } from '../support/samples.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

it.each(forgesToTry('gitlab'))(
  'a result that never passes verification is called partial wherever it is told, on %s [NX-125]',
  async (name) => {
    const here = await startWorld({
      script: followPlan({ ...fixStory, verify: () => verification({ passed: false }) }),
      forges: [name],
      config: { planning: { pre_planning: { enabled: false }, reflection: { trigger_interval: 0 } } },
    });
    world = here;
    const { reference } = here.forge.openIssue({
      title: 'The total is wrong',
      body: 'It forgets the quantity.',
      labels: ['coding agent'],
    });
    const { code, output } = await startDaemonProcess(here.configFile).exited;
    expect(code, output).toBe(1);
    const { labels, comments } = here.forge.thread(reference);
    expect(labels).toEqual(['coding agent partial']);
    expect(comments.at(-1)?.body).toContain('## ⚠️ Task partly done');
    expect(here.forge.changeRequests()).toHaveLength(1);
    const [uuid = ''] = await here.runs.list('completed');
    const outcome = JSON.parse(await here.runs.readFile(uuid, 'outcome.json'));
    expect(outcome).toMatchObject({
      status: 'partial',
      details: { planning: { actions_done: 3, actions_total: 3, verification_passed: false } },
    });
    const status = await runDaemonCommand(here.configFile, ['status', '--json']);
    expect(JSON.parse(status.output).recent).toMatchObject([{ status: 'partial' }]);
    const shown = await runDaemonCommand(here.configFile, ['status']);
    expect(shown.output).toContain('partly done');
  },
);
