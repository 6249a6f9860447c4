import { afterEach, describe, expect, it } from 'vitest';
import { startDaemonProcess } from '../support/daemon-process.ts';
import { fixScript } from '../support/fix-script.ts';
import { sampleOf } from '../support/samples.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

const ways = [
  ['github', 'responses', 'Pull Request #'],
  ['github', 'chat', 'Pull Request #'],
  ['gitlab', 'chat', 'Merge Request !'],
] as const;

describe.each(sampleOf(ways, ([name, api]) => name === 'gitlab' || api === 'responses'))(
  "a change request's own task on %s, with a model behind /%s",
  (name, api, noun) => {
    it('pushes to its head branch, opens no second one and ends with one comment [RL-1, RL-14]', async () => {
      world = await startWorld({ script: fixScript, forges: [name], api });
      const { forge } = world;
      const { reference, number } = await forge.openChangeRequest({
        title: '合計を直す',
        body: '数量が抜けています。',
        labels: ['coding agent'],
        headBranch: 'alice/total',
        files: { 'NOTES.md': 'Alice was here.\n' },
      });
      const exit = await startDaemonProcess(world.configFile).exited;
      expect(exit.output).toContain('finished task');
      expect(exit.code).toBe(0);

      const thread = forge.thread(reference);
      expect(thread.labels).toEqual(['coding agent done']);
      expect(thread.comments.map(({ author }) => author)).toEqual(['robot']);
      expect(thread.comments[0]?.body).toContain('## ✅ タスク完了');
      expect(thread.comments[0]?.body).toContain('**プッシュしたブランチ:** `alice/total`');
      expect(forge.threads()).toHaveLength(1);

      expect(await forge.readFile('alice/total', 'total.js')).toContain('line.price * line.quantity');
      expect(await forge.authorsOf('alice/total')).toEqual(['robot', 'alice']);
      const [request] = world.model.requests;
      expect(JSON.stringify(request?.body)).toContain(`# ${noun}${number}\\n`);
      expect(JSON.stringify(request?.body)).toContain('=====\\n> 合計を直す\\n');
      expect(JSON.stringify(request?.body)).toContain(
        `pushed to the ${noun.slice(0, -2).toLowerCase()}'s branch`,
      );
    });
  },
);

it("hears comments on lines, reviews and checks of the agent's own pull request [NX-186]", {
  tags: ['full'],
}, async () => {
  const config = { comment_detection: { enabled: true } };
  world = await startWorld({ script: fixScript, forges: ['github'], config });
  const { forge, gitHub: simulator } = world;
  const repo = 'acme/shop';
  const { number } = await forge.openChangeRequest({
    title: '合計を直す',
    body: '数量が抜けています。',
    labels: ['coding agent'],
    author: 'robot',
    headBranch: 'agent/total',
    files: { 'NOTES.md': 'one\ntwo\n' },
  });
  const place = { repo, number, author: 'alice', path: 'NOTES.md', line: 2 };
  await simulator.reviews.comment({ ...place, body: 'この行は要りません。' });
  await simulator.reviews.submit({
    repo,
    number,
    author: 'alice',
    event: 'REQUEST_CHANGES',
    body: 'まだです。',
  });
  const failed = { name: 'build', conclusion: 'failure', log: 'sum.test.js: 2 + 2 is not 5' } as const;
  await simulator.ci.answer(repo, () => [failed]);
  const { output } = await startDaemonProcess(world.configFile).exited;
  expect(output).toContain('finished task');
  const told = JSON.stringify(world.model.requests.map(({ body }) => body));
  expect(told).toContain('On line 2 of NOTES.md (review thread ');
  expect(told).toContain('この行は要りません。');
  expect(told).toContain('まだです。\\n\\n(This review requests changes.)');
  expect(told).toContain('sum.test.js: 2 + 2 is not 5');
});
