// @module-tag full
import type { ConversationView } from '@agent/simulators/model';
import { afterEach, describe, expect, it } from 'vitest';
import { quickWaits, startDaemonProcess } from '../support/daemon-process.ts';
import { fixStory, followPlan } from '../support/planning-script.ts';
import { sampleOf } from '../support/samples.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

const issue = { title: 'The total is wrong', body: 'It forgets the quantity.', labels: ['coding agent'] };
const config = {
  comment_detection: { enabled: true },
  planning: {
    pre_planning: { enabled: false },
    reflection: { enabled: false },
    verification: { enabled: false },
  },
};
const ways = [
  ['github', 'responses'],
  ['gitlab', 'chat'],
] as const;

const hasEdited = ({ exchanges }: ConversationView) => exchanges.some(({ name }) => name === 'edit_file');
const findPhase = (request: string) => /^Planning phase: (\w+)/.exec(request)?.[1];

describe.each(sampleOf(ways, ([forge]) => forge === 'gitlab'))(
  'the plan of a run that was stopped on %s, behind /%s',
  (name, api) => {
    /** The run after one that heard this when it had edited the file. `requests`: of the phases of its plan. */
    async function runAfter(stop: string) {
      const requests: string[] = [];
      let untold: string | null = stop;
      const script = (view: ConversationView) => {
        requests.push(view.messages.findLast(({ text }) => findPhase(text) !== undefined)?.text ?? '');
        if (untold !== null && hasEdited(view)) {
          forge.comment(reference, { author: 'alice', body: untold });
          untold = null;
        }
        return followPlan(fixStory)(view);
      };
      world = await startWorld({ script, forges: [name], api, config });
      const { forge, configFile } = world;
      const { reference } = forge.openIssue(issue);
      const runOnce = async (label: string) => {
        requests.length = 0;
        const { output } = await startDaemonProcess(configFile, { nodeArguments: quickWaits }).exited;
        expect(forge.thread(reference).labels, output).toEqual([label]);
      };
      await runOnce('coding agent stopped');
      expect(forge.changeRequests()).toEqual([]);
      forge.addLabels(reference, ['coding agent']);
      await runOnce('coding agent done');
      const [draft] = forge.changeRequests();
      expect(await forge.readFile(draft?.changeRequest?.head ?? '', 'total.js')).toContain('line.quantity');
      return requests;
    }

    it('goes on in the next run, in the files as they were left [CI-75] [NX-122]', async () => {
      const requests = await runAfter('/stop');
      expect([...new Set(requests.map(findPhase))]).toEqual(['execution', 'report']);
      expect(requests[0]).toContain('"current_task": "task_3"');
    });

    it('is only referred to where something was said with the stop [CI-75] [CI-76] [NX-122]', async () => {
      const requests = await runAfter('/stop\nRound it to two digits.');
      expect(findPhase(requests[0] ?? '')).toBe('planning');
      expect(requests[0]).toContain('## Previous Planning Context');
      expect(requests[0]).toContain('stopped): total counts quantities.; 3 subtask(s), 67% complete');
    });
  },
);
