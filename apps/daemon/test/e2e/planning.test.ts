import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { quickWaits, startDaemonProcess } from '../support/daemon-process.ts';
import { followPlan } from '../support/planning-script.ts';
import { withPreparation } from '../support/pre-planning-script.ts';
import { rejectedAssumption } from '../support/rejected-assumption.ts';
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
const flags = ['--once', '--log-format', 'json'];

describe.each(sampleOf(ways, ([forge]) => forge === 'gitlab'))(
  'a run that plans on %s, behind /%s',
  (name, api) => {
    it('goes from its label to a verified draft, over comments, a rejected assumption, a failure and a placeholder [CD-6, CD-37, PP-47, NX-125]', async () => {
      const phases = new Set<string>();
      const words: string[] = [];
      const script = withPreparation(followPlan(rejectedAssumption));
      const here = await startWorld({
        script: (view) => {
          const phase = /^Planning phase: (\w+)/.exec(view.messages.at(-1)?.text ?? '')?.[1];
          if (phase !== undefined && phase !== 'reflection' && !phases.has(phase)) {
            phases.add(phase);
            words.push(`Word ${phase}.`);
            const body =
              phase === 'execution' ? `Word ${phase}.\n/reject A1 yen have no cents` : `Word ${phase}.`;
            here.forge.comment(reference, { author: 'alice', body });
          }
          return script(view);
        },
        forges: [name],
        api,
        config: { planning: {}, comment_detection: { enabled: true } },
        onModelRequest: () => delay(150),
      });
      world = here;
      const { reference } = here.forge.openIssue(issue);
      const { code, output } = await startDaemonProcess(here.configFile, { nodeArguments: quickWaits, flags })
        .exited;
      expect(code, output).toBe(0);
      const { comments, labels } = here.forge.thread(reference);
      const final = comments.at(-1)?.body ?? '';
      const log = output.split('\n').filter((line) => line.includes('"msg":"planning event"'));
      const told = log.map((line) => {
        const { type, phase, taskId, action, cause, round } = JSON.parse(line);
        return [type, phase, taskId, action, cause, round].filter((one) => one !== undefined).join(' ');
      });
      expect(told).toMatchInlineSnapshot(`
        [
          "plan",
          "phase reflection",
          "reflection",
          "phase execution",
          "action task_1 started",
          "action task_1 succeeded",
          "action task_3 invalidated",
          "phase revision",
          "revision rejection",
          "phase reflection",
          "reflection",
          "phase execution",
          "action task_2 started",
          "action task_2 failed",
          "action task_2 started",
          "action task_2 succeeded",
          "action task_4 started",
          "action task_4 succeeded",
          "phase reflection",
          "reflection",
          "phase verification",
          "verification 1",
          "phase reflection",
          "reflection",
          "phase revision",
          "revision verification",
          "phase execution",
          "action verification_fix_1 started",
          "action verification_fix_1 succeeded",
          "phase verification",
          "verification 2",
          "phase report",
          "phase reflection",
          "reflection",
          "phase report",
        ]
      `);
      expect(labels).toEqual(['coding agent done']);
      expect(final).toContain('total counts quantities now.');
      expect(final).toMatch(/完了アクション数: 4\/4|Actions completed: 4\/4/);
      const lines = final.match(/^- `@alice`.*$/gm) ?? [];
      expect(lines).toHaveLength(words.length);
      expect(lines.filter((line) => !/delivered to the agent|`\/reject` was applied/.test(line))).toEqual([]);
      const draft = here.forge.changeRequests().at(-1);
      expect(draft?.changeRequest?.draft).toBe(true);
    });
  },
);
