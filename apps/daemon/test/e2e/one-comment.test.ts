// @module-tag full
import { afterEach, describe, expect, it } from 'vitest';
import { quickWaits, startDaemonProcess } from '../support/daemon-process.ts';
import { fixScript } from '../support/fix-script.ts';
import { listTurns } from '../support/model-requests.ts';
import { fixStory, followPlan } from '../support/planning-script.ts';
import { onlyPrePlanning, withPreparation } from '../support/pre-planning-script.ts';
import { forgesToTry } from '../support/samples.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

const issue = { title: 'The total is wrong', body: 'It forgets the quantity.', labels: ['coding agent'] };
const planning = onlyPrePlanning({ notification: { notify_on_assumption: true } });

describe.each(forgesToTry('github'))('the voice of a whole run on %s', (name) => {
  it('is two comments, however much people say, and though it pauses [NX-240]', async () => {
    let requests = 0;
    const here = await startWorld({
      script: followPlan(fixStory),
      forges: [name],
      config: {
        planning: { pre_planning: { enabled: false } },
        comment_detection: { enabled: true },
      },
      onModelRequest: async () => {
        requests += 1;
        if (requests <= 10) say(`Please mind point ${requests}.`);
        if (requests === 6) say('/pause');
      },
    });
    world = here;
    const { reference } = here.forge.openIssue(issue);
    const said = new Set<string>();
    const say = (body: string) => {
      said.add(body);
      here.forge.comment(reference, { author: 'alice', body });
    };
    const live = async () => {
      const { code, output } = await startDaemonProcess(here.configFile, { nodeArguments: quickWaits })
        .exited;
      const { comments, statusComments, labels } = here.forge.thread(reference);
      return {
        code,
        output,
        labels,
        statusComments,
        comments: comments.filter(({ body }) => !said.has(body)),
      };
    };
    const paused = await live();
    expect(paused.code, paused.output).toBe(1);
    expect(paused.labels).toEqual(['coding agent paused']);
    expect(paused.comments).toEqual([]);
    expect(paused.statusComments.map(({ body }) => body)).toEqual([
      expect.stringMatching(/Paused[\s\S]*\*\*State:\*\* ⏸️ paused[\s\S]*`\/resume` from `@\w+`/),
    ]);
    say('/resume');
    const done = await live();
    expect(done.code, done.output).toBe(0);
    expect(said.size).toBe(12);
    expect(done.labels).toEqual(['coding agent done']);
    expect(done.comments.map(({ body }) => /^## (.*)$/m.exec(body)?.[1])).toEqual(['✅ Task completed']);
    expect(done.statusComments).toHaveLength(1);
    const told = listTurns(here.model).join('\n');
    for (let point = 1; point <= 10; point += 1) expect(told).toContain(`point ${point}.`);
  });
});

describe.each(forgesToTry('gitlab'))('the one comment of a run on %s', (name) => {
  it('shows what the run understood, collected and assumed, and stays when it has ended [NX-126]', async () => {
    const shown: string[] = [];
    const here = await startWorld({
      script: withPreparation(fixScript),
      forges: [name],
      config: { planning },
      onForgeRequest: async () => {
        const body = here.forge.thread('#1').statusComments[0]?.body;
        if (body !== undefined && body !== shown.at(-1)) shown.push(body);
      },
    });
    world = here;
    here.forge.openIssue(issue);
    const { code, output } = await startDaemonProcess(here.configFile, { nodeArguments: quickWaits }).exited;
    expect(code, output).toBe(0);
    const { comments, statusComments, labels } = here.forge.thread('#1');
    expect(labels).toEqual(['coding agent done']);
    expect(comments.map(({ body }) => /^## (.*)$/m.exec(body)?.[1])).toEqual(['✅ Task completed']);
    expect(statusComments).toHaveLength(1);
    const [first = '', ...later] = shown;
    expect(first).not.toContain('###');
    expect(later.join()).toContain('**Now:** planning what to look up');
    expect(later.join()).toContain('/reject A1 <reason>');
    const last = statusComments[0]?.body ?? '';
    expect(last).toContain('🤖 This task has ended.');
    expect(last).toContain('- ✅ The code that sums up');
    expect(last).toContain('- **A1** How sums are rounded: to two places');
    expect(last).not.toContain('**Now:**');
    // One for each phase of pre-planning, the push and the end: nothing more, however many steps there are.
    expect(shown.length).toBeLessThanOrEqual(8);
  });

  it('shows the plan as it goes on, by a handful of edits [NX-126]', async () => {
    let edits = 0;
    const here = await startWorld({
      script: followPlan(fixStory),
      forges: [name],
      config: { planning: { pre_planning: { enabled: false } } },
      onForgeRequest: async (label) => {
        if (/^(?:PATCH|PUT) .*(?:comments|notes)/.test(label)) edits += 1;
      },
    });
    world = here;
    here.forge.openIssue(issue);
    const { code, output } = await startDaemonProcess(here.configFile, { nodeArguments: quickWaits }).exited;
    expect(code, output).toBe(0);
    const { comments, statusComments } = here.forge.thread('#1');
    expect(comments).toHaveLength(1);
    expect(statusComments).toHaveLength(1);
    const body = statusComments[0]?.body ?? '';
    expect(body).toContain('### 📋 Execution Plan\n\n- [x] **task_1**: Read the code that sums up');
    expect(body).toContain('*Progress: 3/3 (100%) complete*');
    expect(body).toContain('### ✅ Verification Passed');
    expect(edits).toBeGreaterThan(3);
    expect(edits).toBeLessThanOrEqual(12);
  });
});
