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
      expect(exit.output).toContain('task ended');
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
