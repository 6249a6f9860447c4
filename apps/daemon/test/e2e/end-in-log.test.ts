// @module-tag full
import { followSteps, type ModelRequest, type Script } from '@agent/simulators/model';
import { parseJson, toRecord } from '@agent/text/json';
import { afterEach, describe, expect, it } from 'vitest';
import { createDaemonsOfWorld } from '../support/daemons-of-world.ts';
import { fixScript } from '../support/fix-script.ts';
import { createModelGate } from '../support/model-gate.ts';
import { sampleOf } from '../support/samples.ts';
import { toTimeLimit } from '../support/world-runs.ts';

const daemons = createDaemonsOfWorld();
afterEach(() => daemons.close());

const issue = { title: 'The total is wrong', body: 'It forgets the quantity.', labels: ['coding agent'] };

/** Ends of runs that a log names. */
const listEnds = (output: string) =>
  output.split('\n').flatMap((line) => {
    const record = toRecord(parseJson(line));
    return record?.msg === 'run ended' ? [record] : [];
  });

const readsWhatIsNotThere: Script = followSteps([
  { toolCalls: [{ name: 'read_file', input: { path: 'missing.txt' } }] },
]);

const asks = (name: string): Script => followSteps([{ toolCalls: [{ name, input: {} }] }]);

describe('the log', () => {
  const stories = [
    {
      name: 'completed',
      script: fixScript,
      end: { level: 30, status: 'completed', error_class: null, step: 6, tool: 'run_command', reason: null },
    },
    {
      name: 'failed by a tool',
      script: readsWhatIsNotThere,
      end: { level: 40, status: 'failed', error_class: 'tool_failed', tool: 'read_file' },
    },
    {
      name: 'failed at the limit of its steps',
      script: fixScript,
      config: { limits: { max_steps: 2 } },
      end: { level: 40, status: 'failed', error_class: 'step_limit', tool: 'read_file' },
    },
    {
      name: 'failed without work, by the name that the model gave a tool that is none',
      script: asks('rm -rf / "please"'),
      end: { level: 40, status: 'failed', tool: '_OTHER' },
    },
    {
      name: 'failed because the model refused the request',
      script: fixScript,
      refuses: true,
      end: { level: 40, status: 'failed', error_class: 'model_failed', tool: null },
    },
  ];
  const isChosen = ({ name }: { readonly name: string }) => !/at the limit|model refused/.test(name);
  it.each(sampleOf(stories, isChosen))(
    'names a run that $name, once, with class, step, tool and address [NX-428]',
    async (story) => {
      const { script, config = {}, refuses = false, end } = story;
      const at = await daemons.open({
        ...{ script, config },
        onModelRequest: ({ body }: ModelRequest) => {
          if (refuses && !JSON.stringify(body).includes('Answer with OK.'))
            at.model.misbehave({ kind: 'status', status: 422, message: 'no' });
        },
      });
      at.forge.openIssue(issue);
      const { output } = await daemons.start(at.configFile).exited;
      const ends = listEnds(output);
      expect(ends).toHaveLength(1);
      expect(ends).toMatchObject([{ ...end, url: expect.stringMatching(/\/acme\/shop\/issues\/\d+$/) }]);
      if (end.level === 40) expect(ends[0]?.reason).toMatch(/\w/);
      expect(output).not.toMatch(/"msg":"run failed"/);
    },
  );

  it(
    'names the end of a run that a later process ends in the same way [NX-428]',
    async () => {
      const gate = createModelGate();
      const config = { limits: { max_steps: 2 } };
      const at = await daemons.open({ script: fixScript, config, onModelRequest: gate.onModelRequest });
      at.forge.openIssue(issue);
      const killed = daemons.start(at.configFile);
      await gate.asked(1);
      gate.letThrough();
      await gate.asked(2);
      gate.letThrough();
      await gate.asked(3);
      killed.child.kill('SIGKILL');
      const before = await killed.exited;
      gate.letThrough({ forEver: true });
      const { output } = await daemons.start(at.configFile).exited;
      expect(listEnds(before.output)).toEqual([]);
      expect(listEnds(output)).toMatchObject([
        { level: 40, status: 'failed', error_class: 'step_limit', tool: 'read_file' },
      ]);
      const [uuid = ''] = await at.runs.list('completed');
      expect(listEnds(output)[0]?.run).toBe(uuid);
      const { details } = JSON.parse(await at.runs.readFile(uuid, 'outcome.json'));
      expect(details).toMatchObject({ error_class: 'step_limit', tool: 'read_file' });
    },
    toTimeLimit(60_000),
  );
});
