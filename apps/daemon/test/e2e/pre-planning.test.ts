import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { quickWaits, startDaemonProcess } from '../support/daemon-process.ts';
import { fixScript } from '../support/fix-script.ts';
import { createModelGate } from '../support/model-gate.ts';
import { listTurns } from '../support/model-requests.ts';
import { onlyPrePlanning, withPreparation } from '../support/pre-planning-script.ts';
import { readStateText } from '../support/preparation-state.ts';
import { forgesToTry, sampleOf } from '../support/samples.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

const issue = { title: 'The total is wrong', body: 'It forgets the quantity.', labels: ['coding agent'] };
const planning = onlyPrePlanning({ notification: { notify_on_assumption: true } });
const report = { style: 'seed' };

const ways = [
  ['github', 'responses'],
  ['gitlab', 'chat'],
] as const;

describe.each(sampleOf(ways, ([forge]) => forge === 'gitlab'))(
  'a run that gets ready on %s, with a model behind /%s',
  (name, api) => {
    it('tells thread and agent what it understood, collected, assumed, and does not know [PP-20, PP-27, PP-29, PP-54, PP-55, NX-55]', async () => {
      const config = {
        report,
        planning,
        comment_detection: { enabled: false },
        time_zone: 'Asia/Tokyo',
      };
      world = await startWorld({ script: withPreparation(fixScript), forges: [name], api, config });
      const { forge } = world;
      const { reference } = forge.openIssue(issue);
      const { code, output } = await startDaemonProcess(world.configFile).exited;
      expect(code, output).toBe(0);

      const { comments, labels } = forge.thread(reference);
      expect(labels).toEqual(['coding agent done']);
      expect(comments.map(({ body }) => /^## (.*)$/m.exec(body)?.[1])).toMatchInlineSnapshot(`
      [
        "🔍 Task analysis started",
        "📋 Task understood",
        "🗂️ Collecting information",
        "⚠️ Information assumed",
        "📚 Information collected",
        "✅ Task completed",
      ]
    `);
      const end = comments[4]?.body;
      expect(end).toContain('✅ The code that sums up');
      expect(end).toContain('⚠️ How sums are rounded');
      // Planning is off, so no plan is announced.
      expect(end).toContain('Starting the work...');
      const times = comments.flatMap(({ body }) => body.match(/\d\d:\d\d:\d\d.{0,6}/g) ?? []);
      expect(times).toEqual(Array(3).fill(expect.stringMatching(/GMT\+9$/)));

      // Understanding, needs, one assumption (a password is none), five steps.
      const turns = listTurns(world.model);
      expect(turns).toHaveLength(8);
      const first = turns[3] ?? '';
      expect(first).toContain('primary goal: The total counts quantities');
      expect(first).toContain('lines.reduce((sum, line) => sum + line.price, 0)');
      expect(first).toContain('A1 rounding: to two places (confidence 80%; money has cents)');
      expect(first).toMatch(/The password of the shop account \(impact/);
      expect(first).toMatch(/What the tests print \(impact[^)]*I don't run commands before planning/);
      expect(first).toContain('authority: untrusted (information only)');
      const state = await readStateText(world);
      expect(state).toContain('the tool \\"run_command\\" may change something; only read-only tools run');
    });
  },
);

const headings = ({ forge }: World, reference: string) =>
  forge.thread(reference).comments.map(({ body }) => /^## \S+ (.*)$/m.exec(body)?.[1] ?? body);

describe('a run that gets ready', { tags: ['full'] }, () => {
  it('is stopped there for good, by a command on the thread [RL-7, PP-57]', async () => {
    const gate = createModelGate();
    world = await startWorld({
      script: withPreparation(fixScript),
      config: { planning: onlyPrePlanning(), comment_detection: { enabled: true } },
      onModelRequest: gate.onModelRequest,
    });
    const { reference } = world.forge.openIssue(issue);
    const daemon = startDaemonProcess(world.configFile, { nodeArguments: quickWaits });
    await gate.asked(1);
    world.forge.comment(reference, { author: 'alice', body: '/stop' });
    gate.letThrough({ forEver: true });
    const { code, output } = await daemon.exited;
    expect(code, output).toBe(1);
    expect(world.forge.thread(reference).labels).toEqual(['coding agent stopped']);
    const asked = listTurns(world.model).join();
    expect(asked).not.toContain('Say what is reasonable to assume');
    expect(asked).not.toContain('You are a software engineer.');
  });
});

describe.each(forgesToTry('github'))('an assumption of a run on %s', { tags: ['full'] }, (name) => {
  it('is a constraint once somebody who may steer rejects it; nobody else can [PP-26, NX-4]', async () => {
    let asked = 0;
    const here = await startWorld({
      script: withPreparation(fixScript),
      forges: [name],
      config: { report, planning, comment_detection: { enabled: true } },
      onModelRequest: async () => {
        asked += 1;
        if (asked !== 5) return;
        here.forge.comment('#1', { author: 'bob', body: '/reject A1 I like it long' });
        here.forge.comment('#1', { author: 'alice', body: '/reject A1 yen have no cents\n/reject A7' });
        // Longer than a quiet repository is left alone, on the clock of a daemon that waits a hundred times shorter.
        await delay(150);
      },
    });
    world = here;
    here.forge.openIssue(issue);
    const { code, output } = await startDaemonProcess(here.configFile, { nodeArguments: quickWaits }).exited;
    expect(code, output).toBe(0);
    const last = listTurns(here.model).at(-1) ?? '';
    expect(last).toContain('/reject A1 yen have no cents');
    expect(last.split('(The assumption A1, rounding, is rejected.')).toHaveLength(2);
    expect(last).not.toContain('(The assumption A7');
    const { comments } = here.forge.thread('#1');
    const reactions = comments.flatMap(({ author, reactions: given }) =>
      given.map((one) => `${author} ${one}`),
    );
    // A thumb by another name on GitLab.
    expect(reactions.map((one) => one.replace('thumbsup', '+1')).sort()).toEqual([
      'alice robot: +1',
      'alice robot: eyes',
      'bob robot: confused',
      'bob robot: eyes',
    ]);
  });
});

describe('a model that fails while a run gets ready', { tags: ['full'] }, () => {
  it('costs the run what was not found out, and not the run', async () => {
    world = await startWorld({ script: withPreparation(fixScript), config: { report, planning } });
    world.model.misbehave({ kind: 'status', status: 503 });
    const { reference } = world.forge.openIssue(issue);
    const { code, output } = await startDaemonProcess(world.configFile).exited;
    expect(code, output).toBe(0);
    expect(output).toContain('pre-planning failed; starting with its results so far');
    expect(headings(world, reference)).toEqual([
      'Task analysis started',
      'Pre-planning ended early',
      'Task completed',
    ]);
  });

  it('is asked at its chat endpoint where the other one refuses the form, and there from then on', async () => {
    world = await startWorld({ script: withPreparation(fixScript), config: { report, planning } });
    world.model.misbehave({ kind: 'status', status: 400 });
    const { reference } = world.forge.openIssue(issue);
    const { code, output } = await startDaemonProcess(world.configFile).exited;
    expect(code, output).toBe(0);
    const paths = world.model.requests.filter(({ method }) => method === 'POST').map(({ path }) => path);
    const chat = '/v1/chat/completions';
    // The second one asks whether the endpoint answers at all.
    expect(paths.slice(0, 5)).toEqual(['/v1/responses', '/v1/responses', chat, chat, chat]);
    expect(headings(world, reference)).toContain('Information collected');
  });
});
