import { afterEach, describe, expect, it } from 'vitest';
import { startDaemonProcess } from '../support/daemon-process.ts';
import { fixStory, followPlan } from '../support/planning-script.ts';
import { sampleOf } from '../support/samples.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

const issue = { title: 'The total is wrong', body: 'It forgets the quantity.', labels: ['coding agent'] };
const ways = [
  ['github', 'responses'],
  ['gitlab', 'chat'],
] as const;

describe.each(sampleOf(ways, ([forge]) => forge === 'gitlab'))(
  'a run that plans on %s, behind /%s',
  (name, api) => {
    it('makes a plan, carries it out and delivers a draft that its report tells of [CD-6, PP-47]', async () => {
      const planning = {
        pre_planning: { enabled: false },
        reflection: { enabled: false },
        verification: { enabled: false },
      };
      world = await startWorld({ script: followPlan(fixStory), forges: [name], api, config: { planning } });
      const { forge } = world;
      const { reference } = forge.openIssue(issue);
      const { code, output } = await startDaemonProcess(world.configFile).exited;
      expect(code, output).toBe(0);
      const { comments, labels } = forge.thread(reference);
      expect(labels).toEqual(['coding agent done']);
      expect(comments.at(-1)?.body).toContain('total counts quantities now.');
    });
  },
);
