// @module-tag full
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { quickWaits, startDaemonProcess } from '../support/daemon-process.ts';
import { fixScript } from '../support/fix-script.ts';
import { listReactions } from '../support/list-reactions.ts';
import { listTurns } from '../support/model-requests.ts';
import { onlyPrePlanning, withPreparation } from '../support/pre-planning-script.ts';
import { readState } from '../support/preparation-state.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

const issue = { title: 'The total is wrong', body: 'It forgets the quantity.', labels: ['coding agent'] };
const script = withPreparation(fixScript);

interface ShownTasks {
  readonly running: readonly {
    readonly preparation: { readonly subphase: string } | null;
    readonly step: number;
  }[];
}

describe('an assumption that is rejected while a run gets ready', () => {
  it('is none at its first step, and whoever said it is answered at once; how far the run is can be seen [PP-26, PP-31, NX-4, E8]', async () => {
    const notification = { notify_on_assumption: true };
    const config = {
      report: { style: 'seed' },
      planning: onlyPrePlanning({ notification }),
      comment_detection: { enabled: true },
      http: { port: 0, page: { enabled: false } },
    };
    const shown: string[] = [];
    let metrics = '';
    let isSaid = false;
    const here = await startWorld({
      script,
      config,
      onModelRequest: async () => {
        const url = /"url":"(http:[^"]+)","msg":"serving/.exec(daemon.output())?.[1];
        const { running } = (await (await fetch(`${url}/tasks.json`)).json()) as ShownTasks;
        for (const { preparation, step } of running)
          shown.push(`${step} ${preparation?.subphase ?? 'ready'}`);
        if (shown.length === 5) metrics = await (await fetch(`${url}/metrics`)).text();
      },
      onForgeRequest: async (label) => {
        const last = world?.forge.thread('#1').comments.at(-1)?.body ?? '';
        if (isSaid || !label.endsWith('/comments') || !last.includes('Information assumed')) return;
        isSaid = true;
        world?.forge.comment('#1', { author: 'bob', body: '/reject A1 I like it long' });
        world?.forge.comment('#1', { author: 'alice', body: '/reject A1 yen have no cents' });
        // Longer than a quiet repository is left alone, on the clock of a daemon that waits a hundred times shorter.
        await delay(150);
      },
    });
    world = here;
    here.forge.openIssue(issue);
    const flags = ['--once', '--log-format', 'json'];
    const daemon = startDaemonProcess(here.configFile, { nodeArguments: quickWaits, flags });
    const { code, output } = await daemon.exited;
    expect(code, output).toBe(0);
    const calls = output.split('\n').filter((line) => /"msg":"(?:ran tool|tool failed)"/.test(line));
    expect(calls.map((line) => /"(?:phase|step)":[^,]*/.exec(line)?.[0]).slice(0, 4)).toEqual([
      ...Array(3).fill('"phase":"pre-planning"'),
      // Its four answers are counted as the run's.
      '"step":5',
    ]);
    expect(shown.slice(0, 5)).toEqual([
      '1 understanding',
      '2 collection_planning',
      '3 assumption',
      // The rejection has the request understood anew.
      '4 assumption',
      '5 ready',
    ]);
    expect(metrics).toContain('agent_daemon_model_calls_total 4\n');
    expect(metrics).toContain('agent_daemon_tool_calls_total{status="success"} 1\n');
    expect(metrics).toContain('agent_daemon_tool_calls_total{status="error"} 2\n');
    expect(metrics).toContain('agent_daemon_tasks_preparing 0\n');
    const first = listTurns(here.model).find((turn) => turn.includes('You are a software engineer.')) ?? '';
    expect(first).not.toContain('A1 rounding: to two places');
    expect(first).toContain('yen have no cents');
    expect(first.split('(The assumption A1, rounding, is rejected.').length - 1).toBe(1);
    expect(await readState(here)).toMatchObject({
      assumptions: [],
      constraints: [expect.stringContaining('yen')],
    });
    expect(listReactions(here.forge)).toEqual([
      '/reject A1 I like it long confused',
      '/reject A1 I like it long eyes',
      '/reject A1 yen have no cents +1',
      '/reject A1 yen have no cents eyes',
    ]);
  });
});
