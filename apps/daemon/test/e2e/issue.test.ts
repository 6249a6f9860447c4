import { afterEach, describe, expect, it } from 'vitest';
import { startDaemonProcess } from '../support/daemon-process.ts';
import { answerScript, fixScript } from '../support/fix-script.ts';
import type { Forge } from '../support/forge.ts';
import { listTurns } from '../support/model-requests.ts';
import { forgesToTry, sampleOf } from '../support/samples.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

const openIssue = (forge: Forge, seed: { title?: string; body?: string | null } = {}) =>
  forge.openIssue({
    title: 'The total is wrong',
    body: 'It forgets the quantity.',
    labels: ['bug', 'coding agent'],
    ...seed,
  });

/** What the issue, its repository and its one draft are like after `fixScript`. */
async function expectDone(forge: Forge, { reference, number }: { reference: string; number: number }) {
  const thread = forge.thread(reference);
  expect(thread.labels).toEqual(['bug', 'coding agent done']);
  expect(thread.comments).toHaveLength(1);
  expect(thread.comments[0]).toMatchObject({ author: 'robot' });
  const report = thread.comments[0]?.body;
  expect(report).toContain('total counts quantities now; the tests pass.');
  expect(report).toContain('## ✅ Task completed');

  const [draft, ...others] = forge.changeRequests();
  expect(others).toEqual([]);
  const head = `agent/issue-${number}-the-total-is-wrong`;
  expect(draft?.changeRequest).toMatchObject({ draft: true, base: 'main', head });
  expect(draft?.body).toContain(`Closes #${number}`);
  expect(report).toContain(`**Draft ${forge.changeRequestWords.en}:** [${draft?.reference}](${forge.url}`);
  expect(await forge.readFile(head, 'total.js')).toContain('line.price * line.quantity');
}

const ways = [
  ['github', 'responses'],
  ['github', 'chat'],
  ['gitlab', 'responses'],
] as const;

describe.each(sampleOf(ways, ([name, api]) => name === 'gitlab' || api === 'chat'))(
  'an issue on %s, with a model behind /%s',
  (name, api) => {
    it('goes from its label to a draft and one final comment, every request with the whole conversation [RL-1, RL-14, NX-12]', async () => {
      world = await startWorld({ script: fixScript, forges: [name], api });
      const { forge } = world;
      const issue = openIssue(forge);
      const exit = await startDaemonProcess(world.configFile).exited;
      expect(exit.output).toContain('finished task');
      expect(exit.code).toBe(0);
      await expectDone(forge, issue);
      const bodies = listTurns(world.model);
      expect(bodies.length).toBe(5);
      for (const body of bodies) {
        expect(body).not.toMatch(/item_reference|previous_response_id/);
        expect(body).toContain('It forgets the quantity.');
        expect(body).toContain(`opened as a draft ${forge.changeRequestWords.en}`);
        for (const token of Object.values(forge.environment)) expect(body).not.toContain(token);
      }
    });
  },
);

describe.each(forgesToTry('gitlab'))('an issue on %s', (name) => {
  it('gets a comment alone when nothing has to change, and leaves its journal whole', async () => {
    world = await startWorld({ script: answerScript, forges: [name] });
    const { forge } = world;
    const { reference } = openIssue(forge);
    expect((await startDaemonProcess(world.configFile).exited).code).toBe(0);
    expect(forge.threads()).toHaveLength(1);
    const thread = forge.thread(reference);
    expect(thread.comments.map(({ body }) => body)).toEqual([
      expect.stringContaining('No files were changed.'),
    ]);
    expect(thread.labels).toContain('coding agent done');

    const { runs } = world;
    expect(await runs.list('running')).toEqual([]);
    const [uuid = ''] = await runs.list('completed');
    const files = ['messages.jsonl', 'metadata.json', 'outcome.json'];
    const texts = await Promise.all(files.map((name) => runs.readFile(uuid, name)));
    expect(texts).toEqual(Array(3).fill(expect.stringMatching(/^\{/)));
  });
});

describe('issues on two platforms at once', () => {
  it('are both worked on by one daemon, each with its own token and on its own platform [RL-1, RL-14]', {
    tags: ['full'],
  }, async () => {
    world = await startWorld({ script: fixScript, forges: ['github', 'gitlab'] });
    const { forges } = world;
    const opened = forges.map((forge) => ({ forge, issue: openIssue(forge) }));
    const exit = await startDaemonProcess(world.configFile).exited;
    expect(exit.code).toBe(0);
    for (const { forge, issue } of opened) await expectDone(forge, issue);
    expect(await world.runs.list('completed')).toHaveLength(2);
  });

  it('do not wait for each other: one platform that refuses leaves the other at work', {
    tags: ['full'],
  }, async () => {
    world = await startWorld({ script: fixScript, forges: ['github', 'gitlab'] });
    const [gitHub, gitLab] = world.forges;
    if (gitHub === undefined || gitLab === undefined) throw new Error('two forges were asked for');
    const [first, second] = [openIssue(gitHub), openIssue(gitLab)];
    gitHub.refuseToList();
    const exit = await startDaemonProcess(world.configFile).exited;
    expect(exit.code).toBe(1);
    expect(gitHub.thread(first.reference).labels).toEqual(['bug', 'coding agent']);
    await expectDone(gitLab, second);
  });
});
