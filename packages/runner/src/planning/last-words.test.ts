import { describe, expect, it } from 'vitest';
import { createContentPlanner } from '../../test/plan-answers.ts';
import { actionAnswer, planForTest, planOf } from '../../test/plan-setup.ts';
import { createTool } from '../../test/run-setup.ts';

const completion = JSON.stringify({
  phase: 'completion',
  done: true,
  summary: { goal_achieved: true, key_outcomes: ['It works.'], lessons_learned: [] },
});

async function runWith(texts: readonly string[], script: Parameters<typeof createContentPlanner>[1]) {
  const work = createTool((text) => text);
  const model = createContentPlanner(texts, script);
  const { result } = await planForTest({ model, tools: { work }, planning: {} });
  if (result.kind !== 'ended') throw new Error(result.kind);
  return { ...result.outcome, work: work.calls, prompts: model.prompts };
}

describe('what people read last', () => {
  it('is prose, for which a model that answers in JSON is asked once more', async () => {
    let asked = 0;
    const report = ({ text }: { readonly text: string }) => {
      if (text.includes('"completion"')) return completion;
      asked += 1;
      return asked === 1 ? `Here it is:\n\`\`\`json\n${completion}\n\`\`\`` : 'Both are done.';
    };
    const { status, finalText } = await runWith(['a', 'b'], { report });
    expect([status, finalText, asked]).toEqual(['completed', 'Both are done.', 2]);
  });

  it('is what the plan reached, where a model knows nothing but JSON', async () => {
    const { status, finalText } = await runWith(['a', 'b'], { report: () => completion });
    expect([status, finalText]).toEqual(['completed', '- It works.']);
  });

  it('is no JSON either where a limit cuts the plan short', async () => {
    const model = createContentPlanner(['a', 'b'], { report: () => completion });
    const { result } = await planForTest({
      ...{ model, tools: { work: createTool((text) => text) }, planning: {} },
      limits: { maxSteps: 6 },
    });
    expect(result).toMatchObject({ outcome: { status: 'failed', finalText: null } });
  });
});

describe('a task of a single action', () => {
  it('is done by a model that went on in JSON, once it is told that this does nothing [NX-134]', async () => {
    const { status, finalText, work } = await runWith(['a'], {
      loop: ({ after }) => {
        if (!after.some(({ text }) => text.includes('which does nothing here')))
          return actionAnswer('task_1');
        const isDone = after.some(({ role }) => role === 'tool');
        return isDone ? 'It is done.' : [{ id: 'c1', tool: 'work', input: { text: 'a' } }];
      },
    });
    expect([status, finalText, work]).toEqual(['completed', 'It is done.', ['a']]);
  });

  it('has failed where a model only says in JSON that it is done [NX-134]', async () => {
    for (const said of [actionAnswer('task_1'), completion, JSON.stringify(planOf('a'))]) {
      const { status, reason, finalText, work } = await runWith(['a'], { loop: () => said });
      expect([status, finalText, work]).toEqual(['failed', null, []]);
      expect(reason).toMatch(/turn off planning mode/);
    }
  });
});
