import { describe, expect, it } from 'vitest';
import { createContentPlanner, factsOf } from '../../test/plan-answers.ts';
import { planForTest } from '../../test/plan-setup.ts';
import { createInbox, createTool } from '../../test/run-setup.ts';

const texts = (count: number) => Array.from({ length: count }, (_, index) => `step ${index + 1}`);

/** Share of a text that the one before it begins with. */
function toSharedShare(before: string, after: string): number {
  let shared = 0;
  while (shared < before.length && before[shared] === after[shared]) shared += 1;
  return shared / after.length;
}

describe('what a plan costs', () => {
  it('are at most 20 looks at the thread for 10 actions and 3 reflections [NX-133]', async () => {
    const comments = createInbox([]);
    const { result, journal } = await planForTest({
      model: createContentPlanner(texts(10)),
      tools: { work: createTool((text) => text) },
      planning: {},
      comments,
      now: () => 0,
    });
    expect(result).toMatchObject({ outcome: { status: 'completed' } });
    expect(factsOf(journal, 'reflection')).toHaveLength(3);
    expect(comments.barriers).toHaveLength(17);
    expect(comments.barriers.length).toBeLessThanOrEqual(20);
  });

  it('are a look a minute in the midst of an action that takes long [NX-133]', async () => {
    const comments = createInbox([]);
    let minutes = 0;
    const work = createTool((text) => {
      minutes += 1.1;
      return text;
    });
    let calls = 0;
    await planForTest({
      model: createContentPlanner(['a', 'b'], {
        execution: ({ task, after }) => {
          if (after.filter(({ role }) => role === 'tool').length === 3) {
            return JSON.stringify({ current_task: task, expected_outcome_met: true, evidence: 'seen' });
          }
          return [{ id: `${calls++}`, tool: 'work', input: { text: `${calls}` } }];
        },
      }),
      tools: { work },
      comments,
      now: () => minutes * 60_000,
    });
    // Before and after the plan, before both actions, after each of six calls, and before the end.
    expect(comments.barriers).toHaveLength(11);
  });

  it('is a prompt of which nine tenths are the prompt before it, over 30 actions [NX-133]', async () => {
    const model = createContentPlanner(texts(30));
    const { result } = await planForTest({
      model,
      tools: { work: createTool((text) => text) },
      planning: {},
      limits: { maxSteps: 200 },
    });
    expect(result).toMatchObject({ outcome: { status: 'completed' } });
    const prompts = model.prompts.map((prompt) =>
      prompt.map((message) => JSON.stringify(message)).join('\n'),
    );
    const shares = prompts.slice(1).map((prompt, index) => toSharedShare(prompts[index] ?? '', prompt));
    const [shared, whole] = prompts
      .slice(1)
      .reduce(
        ([sum, all], prompt, index) => [sum + (shares[index] ?? 0) * prompt.length, all + prompt.length],
        [0, 0],
      );
    // Nothing that was sent is ever changed: each prompt begins with the whole of the one before.
    expect(prompts.slice(1).every((prompt, index) => prompt.startsWith(prompts[index] ?? ''))).toBe(true);
    expect(shared / whole).toBeGreaterThanOrEqual(0.9);
  });
});
