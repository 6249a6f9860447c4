// @module-tag full
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { quickWaits, runDaemonCommand, startDaemonProcess } from '../support/daemon-process.ts';
import { fixScript } from '../support/fix-script.ts';
import { listReactions } from '../support/list-reactions.ts';
import { createModelGate } from '../support/model-gate.ts';
import { listTurns } from '../support/model-requests.ts';
import { onlyPrePlanning, withPreparation } from '../support/pre-planning-script.ts';
import { forgesToTry, sampleOf } from '../support/samples.ts';
import { startWorld, type World } from '../support/world.ts';
import { toTimeLimit } from '../support/world-runs.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

const issue = { title: 'The total is wrong', body: 'It forgets the quantity.', labels: ['coding agent'] };
const heard = { comment_detection: { enabled: true } };
const script = withPreparation(fixScript);
/** Three lives of a daemon each. */
const slow = { timeout: toTimeLimit(90_000) };

async function readEnded({ runs }: World, file: string): Promise<string> {
  const [uuid = ''] = await runs.list('completed');
  return runs.readFile(uuid, file);
}

const live = ({ configFile }: World) => startDaemonProcess(configFile, { nodeArguments: quickWaits });

const ways = [
  ['github', 'responses'],
  ['gitlab', 'chat'],
] as const;

describe.each(sampleOf(ways, ([forge]) => forge === 'github'))(
  'what getting ready costs a run on %s, with a model behind /%s',
  (name, api) => {
    it(
      'is counted once over a kill and a pause, which was commanded while nobody carried the run [RL-2, RL-9, RL-14, NX-4, PP-57]',
      slow,
      async () => {
        const gate = createModelGate();
        const config = { planning: onlyPrePlanning(), ...heard };
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
        expect((await live(here).exited).output).toContain('paused task');
        expect(here.forge.thread('#1').labels).toEqual(['coding agent paused']);
        expect(here.model.requests).toHaveLength(asked);
        expect(listReactions(here.forge)).toEqual(['/pause +1', '/stop confused']);
        expect(here.forge.thread('#1').statusComments[0]?.body).toContain('2 model calls');

        await runDaemonCommand(here.configFile, ['resume', 'acme/shop#1']);
        const { code, output } = await live(here).exited;
        expect(code, output).toBe(0);
        expect(here.forge.thread('#1').labels).toEqual(['coding agent done']);
        const { statistics } = JSON.parse(await readEnded(here, 'outcome.json'));
        // The comments have the request understood again; five steps and the final summary follow.
        expect(statistics).toMatchObject({ model_calls: 4 + 5 + 1, tool_calls: 3 + 4 });
        const lines = (await readEnded(here, 'messages.jsonl')).trim().split('\n');
        const messages = lines.filter((line) => line.startsWith('{"seq":'));
        const [opening, ...rest] = messages.map((line) => JSON.parse(line));
        expect(opening.spent).toMatchObject({ model_calls: 4, tool_calls: 3 });
        const summary = JSON.parse((await readEnded(here, 'summaries.jsonl')).trim());
        const costs = [opening.spent, summary.usage, ...rest.flatMap(({ usage }) => usage ?? [])];
        const total = costs.reduce((sum, { input_tokens: tokens }) => sum + tokens, 0);
        expect(statistics.input_tokens).toBe(total);
        expect(here.forge.thread('#1').comments.at(-1)?.body).toContain('Model calls: 10');
      },
    );
  },
);

describe.each(forgesToTry('gitlab'))(
  'a run that is paused on its thread while it gets ready, on %s',
  (name) => {
    it(
      'is paused by that once, and understands anew what was edited and deleted meanwhile [RL-2, NX-1, PP-57, PP-58]',
      slow,
      async () => {
        const gate = createModelGate();
        const config = { planning: onlyPrePlanning(), ...heard };
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
        expect((await first.exited).output).toContain('paused task');
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
        expect(anew).toMatch(/This replaces the comment of [^)]*\)[^)]*VOLUMES/);
        expect(anew).toMatch(/The comment of \S+ was deleted\. Ignore it/);
        expect(anew).not.toMatch(/WEIGHTS|COLOURS/);
      },
    );
  },
);
