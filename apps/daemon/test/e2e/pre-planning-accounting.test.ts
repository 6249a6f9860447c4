import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { quickWaits, runDaemonCommand, startDaemonProcess } from '../support/daemon-process.ts';
import { fixScript } from '../support/fix-script.ts';
import type { ForgeName } from '../support/forge.ts';
import { createModelGate } from '../support/model-gate.ts';
import { listTurns } from '../support/model-requests.ts';
import { withPreparation } from '../support/pre-planning-script.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

const issue = { title: 'The total is wrong', body: 'It forgets the quantity.', labels: ['coding agent'] };
const heard = { comment_detection: { enabled: true } };
const script = withPreparation(fixScript);
/** Three lives of a daemon each. */
const slow = { timeout: 90_000 };

async function readRunFile({ directory }: World, place: string, file: string): Promise<string> {
  const runs = join(directory, 'contexts', place);
  const [uuid = ''] = await readdir(runs);
  return readFile(join(runs, uuid, file), 'utf8');
}

interface ShownTasks {
  readonly running: readonly {
    readonly preparation: { readonly subphase: string } | null;
    readonly step: number;
  }[];
}

const live = ({ configFile }: World) => startDaemonProcess(configFile, { nodeArguments: quickWaits });

/** The same by the same name on both forges. */
const listReactions = ({ forge }: World) =>
  forge
    .thread('#1')
    .comments.flatMap(({ body, reactions }) => reactions.map((one) => `${body.split('\n')[0]} ${one}`))
    .map((one) => one.replace('robot: ', '').replace('thumbsup', '+1'))
    .sort();

describe.each([
  ['github', 'responses'],
  ['gitlab', 'chat'],
] as const)('what getting ready costs a run on %s, with a model behind /%s', (name, api) => {
  it(
    'is counted once over a kill and a pause, which was commanded while nobody carried the run [RL-2, RL-9, RL-14, NX-4, PP-57]',
    slow,
    async () => {
      const gate = createModelGate();
      const config = { planning: { pre_planning: {} }, ...heard };
      const here = await startWorld({
        script,
        forges: [name],
        api,
        config,
        onModelRequest: gate.onModelRequest,
      });
      world = here;
      here.forge.openIssue(issue);
      const first = live(here);
      for (const question of [1, 2]) {
        await gate.asked(question);
        gate.letThrough();
      }
      // At the question for the one assumption, which is lost.
      await gate.asked(3);
      first.child.kill('SIGKILL');
      await first.exited;
      gate.letThrough({ forEver: true });
      here.forge.comment('#1', { author: 'bob', body: '/stop' });
      here.forge.comment('#1', { author: 'alice', body: '/pause' });
      const asked = here.model.requests.length;
      expect((await live(here).exited).output).toContain('task paused');
      expect(here.forge.thread('#1').labels).toEqual(['coding agent paused']);
      expect(here.model.requests).toHaveLength(asked);
      expect(listReactions(here)).toEqual(['/pause +1', '/stop confused']);
      expect(here.forge.thread('#1').comments.at(-1)?.body).toContain('Model calls: 2');

      await runDaemonCommand(here.configFile, ['resume', 'acme/shop#1']);
      const { code, output } = await live(here).exited;
      expect(code, output).toBe(0);
      expect(here.forge.thread('#1').labels).toEqual(['coding agent done']);
      const { statistics } = JSON.parse(await readRunFile(here, 'completed', 'outcome.json'));
      // The comments have the request understood again; five steps and the final summary follow.
      expect(statistics).toMatchObject({ model_calls: 4 + 5 + 1, tool_calls: 3 + 4 });
      const lines = (await readRunFile(here, 'completed', 'messages.jsonl')).trim().split('\n');
      const [opening, ...rest] = lines.map((line) => JSON.parse(line));
      expect(opening.spent).toMatchObject({ model_calls: 4, tool_calls: 3 });
      const summary = JSON.parse((await readRunFile(here, 'completed', 'summaries.jsonl')).trim());
      const costs = [opening.spent, summary.usage, ...rest.flatMap(({ usage }) => usage ?? [])];
      const total = costs.reduce((sum, { input_tokens: tokens }) => sum + tokens, 0);
      expect(statistics.input_tokens).toBe(total);
      expect(here.forge.thread('#1').comments.at(-1)?.body).toContain('Model calls: 10');
    },
  );
});

describe.each<ForgeName>(['github', 'gitlab'])(
  'a run that is paused on its thread while it gets ready, on %s',
  (name) => {
    it(
      'is paused by that once, and understands anew what was edited and deleted meanwhile [RL-2, NX-1, PP-57, PP-58]',
      slow,
      async () => {
        const gate = createModelGate();
        const config = { planning: { pre_planning: {} }, ...heard };
        const here = await startWorld({
          script,
          forges: [name],
          config,
          onModelRequest: gate.onModelRequest,
        });
        world = here;
        here.forge.openIssue({ ...issue, labels: [] });
        const edited = here.forge.comment('#1', { author: 'alice', body: 'Count WEIGHTS.' });
        const deleted = here.forge.comment('#1', { author: 'alice', body: 'Count COLOURS.' });
        here.forge.addLabels('#1', ['coding agent']);
        const first = live(here);
        await gate.asked(1);
        here.forge.comment('#1', { author: 'alice', body: '/pause' });
        await delay(150);
        gate.letThrough({ forEver: true });
        expect((await first.exited).output).toContain('task paused');
        // Nothing was asked once it was heard.
        expect(listTurns(here.model)).toHaveLength(1);

        here.forge.editComment(edited, 'Count VOLUMES.');
        here.forge.deleteComment(deleted);
        await runDaemonCommand(here.configFile, ['resume', 'acme/shop#1']);
        const { code, output } = await live(here).exited;
        expect(code, output).toBe(0);
        expect(here.forge.thread('#1').labels).toEqual(['coding agent done']);
        const [before = '', anew = ''] = listTurns(here.model);
        expect(before).toContain('COLOURS');
        expect(anew).toContain('Understand what a request asks for');
        expect(anew).toMatch(/This stands in the place of the comment of [^)]*\)[^)]*VOLUMES/);
        expect(anew).toMatch(/The comment of \S+ was deleted: take it for not said/);
        expect(anew).not.toMatch(/WEIGHTS|COLOURS/);
      },
    );
  },
);

describe('a run whose limit is used up while it gets ready', () => {
  it('ends as the limit ends it, before its first step, and says so [RL-14]', async () => {
    const limits = { max_tokens: 1_000 };
    world = await startWorld({ script, config: { planning: { pre_planning: {} }, limits } });
    world.forge.openIssue(issue);
    const { code, output } = await live(world).exited;
    expect(code, output).toBe(0);
    const { labels, comments } = world.forge.thread('#1');
    expect(labels).toEqual(['coding agent failed']);
    expect(comments.at(-1)?.body).toContain('"limits.max_tokens"');
    const turns = listTurns(world.model).join();
    expect(turns).not.toContain('You are a software engineer.');
    expect(turns).not.toContain('rounding');
  });
});

describe('an assumption that is rejected while a run gets ready', () => {
  it('is none at its first step, and whoever said it is answered at once; how far the run is can be seen [PP-26, PP-31, NX-4, E8]', async () => {
    const notification = { notify_on_assumption: true };
    const config = { planning: { pre_planning: { notification } }, ...heard, http: { port: 0 } };
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
        if (isSaid || !label.endsWith('/comments') || !last.includes('Information Assumed')) return;
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
    const { state } = JSON.parse(await readRunFile(here, 'completed', 'pre_planning_state.json'));
    expect(state).toMatchObject({ assumptions: [], constraints: [expect.stringContaining('yen')] });
    expect(listReactions(here)).toEqual([
      '/reject A1 I like it long confused',
      '/reject A1 I like it long eyes',
      '/reject A1 yen have no cents +1',
      '/reject A1 yen have no cents eyes',
    ]);
  });
});
