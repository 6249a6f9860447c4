import { describe, expect, it } from 'vitest';
import { factsOf } from '../../../test/plan-answers.ts';
import {
  actionAnswer,
  createPlanner,
  type PlannedTestOptions,
  planForTest,
  planOf,
} from '../../../test/plan-setup.ts';
import { createTool } from '../../../test/run-setup.ts';
import type { ScriptedAnswer } from '../../../test/scripted-model.ts';
import type { ToolCallOptions } from '../../index.ts';

/** Runs a plan of two actions whose first is answered by the script, in turn; everything else goes well. */
async function runFirst(answers: readonly ScriptedAnswer[], options: Partial<PlannedTestOptions> = {}) {
  const requests: string[] = [];
  let next = 0;
  const model = createPlanner(planOf('a', 'b'), {
    execution: ({ task, text, after }) => {
      if (task === 'task_1') {
        requests.push(after.at(-1)?.text ?? text);
        return answers[next++] ?? '';
      }
      return after.some(({ role }) => role === 'tool') ? actionAnswer('task_2') : [call('b')];
    },
  });
  const work = createTool((text) => text);
  const { result, journal } = await planForTest({ model, tools: { work }, ...options });
  const first = factsOf(journal, 'action').filter(({ task_id }) => task_id === 'task_1');
  return { result, journal, requests, first: first.filter(({ state }) => state !== 'started') };
}

const call = (text: string) => ({ id: `call-${text}`, tool: 'work', input: { text } });
const done = actionAnswer('task_1');

/** A tool whose calls are carried out and end with an exit code: `fail` with 1. */
const command = {
  ...createTool((text) => text),
  execute: async (input: unknown, { onFailure }: ToolCallOptions) => {
    if (JSON.stringify(input).includes('fail')) onFailure?.('exit code 1');
    return 'ran';
  },
};

describe('an action', () => {
  it('has failed where its command ended with exit code 1, whatever the model says, and is tried again with its fallback [NX-132]', async () => {
    const { first, requests, result } = await runFirst([[call('fail')], done, [call('otherwise')], done], {
      tools: { work: command },
    });
    expect(first).toMatchObject([
      { state: 'failed', attempt: 1, detail: '"work" failed: exit code 1' },
      { state: 'succeeded', attempt: 2 },
    ]);
    expect(requests[2]).toContain('Do it otherwise.');
    expect(requests[2]).toContain('has failed; what its calls led to stands above');
    expect(result).toMatchObject({ outcome: { status: 'completed' } });
    expect(result).not.toMatchObject({ outcome: { status: 'partial' } });
  });

  it('has succeeded where a later call of the same tool made a failure good [NX-132]', async () => {
    const { first } = await runFirst([[call('fail')], [call('mended')], done], { tools: { work: command } });
    expect(first).toMatchObject([{ state: 'succeeded', attempt: 1 }]);
  });

  it('that is called done without a single call is not done, and ends the plan as failed [NX-132]', async () => {
    const { first, result } = await runFirst([done, done]);
    expect(first).toMatchObject([
      { state: 'failed', detail: 'No tool was called for it.' },
      { state: 'failed', attempt: 2 },
    ]);
    expect(result).toMatchObject({
      outcome: {
        status: 'failed',
        finalText: 'All is done.',
        reason: expect.stringContaining('"task_1"'),
      },
    });
  });

  it('leaves out what rests on a failure where the plan goes on after errors, and the result is partial', async () => {
    const { result } = await runFirst([done, done], {
      planning: { continue_on_error: true, verification: { enabled: false }, replanning: { enabled: false } },
    });
    expect([...result.planning.tasks.values()].map(({ state }) => state)).toEqual(['failed', 'waiting']);
    expect(result).toMatchObject({ outcome: { status: 'partial' } });
    expect(result.planning.completion?.summary).toMatchObject({
      goal_achieved: false,
      tasks_completed: 0,
      tasks_failed: 1,
    });
  });

  it('has failed where its outcome is another than expected', async () => {
    const { first } = await runFirst([
      [call('a')],
      actionAnswer('task_1', { met: false }),
      [call('a')],
      done,
    ]);
    expect(first).toMatchObject([
      { state: 'failed', detail: expect.stringContaining('expected outcome was not met') },
      { state: 'succeeded' },
    ]);
  });

  it('whose answer is prose is asked for its end once, and has failed then', async () => {
    const { first, requests } = await runFirst([
      [call('a')],
      'I am done!',
      'Really done.',
      [call('a')],
      done,
    ]);
    expect(requests[2]).toContain('Say whether the expected outcome of task_1 is met.');
    expect(first).toMatchObject([
      { state: 'failed', attempt: 1, detail: expect.stringContaining('said nothing of its outcome') },
      { state: 'succeeded', attempt: 2 },
    ]);
  });

  it('that hangs is ended in time, and has failed [NX-132]', async () => {
    let sleeps = 0;
    const work = createTool((text) => (text === 'hang' ? new Promise<string>(() => undefined) : text));
    const { first } = await runFirst([[call('hang')], done, [call('a')], done], {
      tools: { work },
      sleep: (_, { signal }) => {
        sleeps += 1;
        return sleeps === 1
          ? Promise.resolve()
          : new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
      },
    });
    expect(first).toMatchObject([
      { state: 'failed', detail: expect.stringContaining('did not finish within 1800 seconds') },
      { state: 'succeeded' },
    ]);
  });

  it('whose tool fails three times in a row has failed, and the run goes on with the next attempt', async () => {
    let calls = 0;
    const work = createTool(() => {
      calls += 1;
      if (calls <= 3) throw new Error('no such file');
      return 'ok';
    });
    const { first, result } = await runFirst([[call('1')], [call('2')], [call('3')], [call('4')], done], {
      tools: { work },
    });
    expect(first).toMatchObject([
      { state: 'failed', detail: expect.stringContaining('no such file') },
      { state: 'succeeded', attempt: 2 },
    ]);
    expect(result).toMatchObject({ outcome: { status: 'completed' } });
  });
});
