import { type Script, toPreparationQuestion } from '@agent/simulators/model';
import { afterEach, describe, expect, it } from 'vitest';
import { startDaemonProcess } from '../support/daemon-process.ts';
import { answerScript } from '../support/fix-script.ts';
import type { ForgeName } from '../support/forge.ts';
import { onlyPrePlanning, withPreparation } from '../support/pre-planning-script.ts';
import { forgesToTry } from '../support/samples.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

/** Runs the daemon once on an issue, and reads what it says of the end. */
async function runOnce(name: ForgeName, work: { readonly script: Script; readonly planning: object }) {
  const { script, planning } = work;
  const at = await startWorld({ script, forges: [name], config: { planning } });
  world = at;
  const { reference } = at.forge.openIssue({
    title: 'The total is wrong',
    body: 'Where is it summed up?',
    labels: ['coding agent'],
  });
  const { code, output } = await startDaemonProcess(at.configFile).exited;
  const [uuid = ''] = await at.runs.list('completed');
  const { status } = JSON.parse(await at.runs.readFile(uuid, 'outcome.json'));
  const { labels, comments } = at.forge.thread(reference);
  return { code, output, status, labels, body: comments.at(-1)?.body ?? '' };
}

/** A model whose understanding names this kind of task, and which wants to know nothing before it works. */
function understanding(kind: string, script: Script): Script {
  const others = withPreparation(script, []);
  return (view) => {
    const reply = others(view);
    if (toPreparationQuestion(view) !== 'understanding') return reply;
    return { text: reply.text?.replace('bug fix', kind) ?? '' };
  };
}

describe.each(forgesToTry('gitlab'))('a run on %s that changes no file', (name) => {
  it('is failed if the model says "Done." to everything [NX-416]', async () => {
    const end = await runOnce(name, { script: () => ({ text: 'Done.' }), planning: { enabled: true } });
    expect(end, end.output).toMatchObject({ code: 1, status: 'failed', labels: ['coding agent failed'] });
    expect(end.body).toContain('## ❌ Task failed');
    expect(end.body).toContain('The model did no work');
    expect(end.body).toContain('The model made no tool calls.');
  });

  it('is done if it answers a question [NX-415, NX-416]', async () => {
    const script = understanding('question', () => ({ text: 'In total.js.' }));
    const end = await runOnce(name, { script, planning: onlyPrePlanning() });
    expect(end, end.output).toMatchObject({ code: 0, status: 'answered', labels: ['coding agent done'] });
    expect(end.body).toContain('## 💬 Question answered\n\nIn total.js.');
  });

  it('is done if it states a reason after it has read the repository [NX-416]', async () => {
    const script = understanding('bug fix', answerScript);
    const end = await runOnce(name, { script, planning: onlyPrePlanning() });
    const outcome = { code: 0, status: 'nothing_to_change', labels: ['coding agent done'] };
    expect(end, end.output).toMatchObject(outcome);
    expect(end.body).toContain('## ➖ Nothing to change\n\nNothing needs to change: it works as described.');
  });
});
