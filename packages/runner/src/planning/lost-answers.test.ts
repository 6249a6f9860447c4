import { describe, expect, it } from 'vitest';
import { createContentPlanner, factsOf } from '../../test/plan-answers.ts';
import { planForTest, planOf } from '../../test/plan-setup.ts';
import { createTool } from '../../test/run-setup.ts';
import { createScriptedModel } from '../../test/scripted-model.ts';

const tools = { work: createTool((text) => text) };
const endless = JSON.stringify(planOf(...Array.from({ length: 10_000 }, (_, index) => `step ${index}`)));

describe('an answer to a phase that is of no use', () => {
  it('is a bad plan where it is a plan of 10,000 steps, longer than is taken: asked for again, then done without [NX-116] [NX-134]', async () => {
    let asked = 0;
    const planning = () => {
      asked += 1;
      return endless;
    };
    const { result, journal } = await planForTest({
      model: createContentPlanner([], { planning, loop: () => 'Done without one.' }),
      tools,
      maxAnswerChars: 1_000_000,
    });
    expect(endless.length).toBeGreaterThan(1_000_000);
    expect(asked).toBe(3);
    expect(factsOf(journal, 'loop_mode')).toMatchObject([
      { reason: 'bad_plan', details: ['The answer was far too long and is lost.'] },
    ]);
    expect(result).toMatchObject({ outcome: { status: 'completed', finalText: 'Done without one.' } });
    expect(result).toMatchObject({ planning: { loopMode: 'bad_plan' } });
  });

  it('ends the run where it goes on so without a plan, too [NX-134]', async () => {
    const { result, journal } = await planForTest({ model: createScriptedModel(() => ''), tools });
    expect(factsOf(journal, 'loop_mode')).toMatchObject([{ details: ['The answer had nothing in it.'] }]);
    const reason = expect.stringContaining('twice');
    expect(result).toMatchObject({ outcome: { status: 'failed', reason } });
  });

  it('ends the action that it was to end, and not the run, the second time in a row [NX-132]', async () => {
    const model = createContentPlanner(['a', 'b'], { execution: () => '' });
    const planning = { reflection: { enabled: false }, replanning: { enabled: false } };
    const { result, journal } = await planForTest({ model, tools, planning });
    const failed = factsOf(journal, 'action').filter(({ state }) => state === 'failed');
    expect(failed.map(({ task_id, attempt }) => `${task_id} ${attempt}`)).toEqual(['task_1 1', 'task_1 2']);
    expect(failed[0]?.detail).toContain('was not brought to its end');
    expect(result).toMatchObject({ outcome: { status: 'failed' } });
  });
});
