import { describe, expect, it } from 'vitest';
import { factsOf, listFacts } from '../../test/plan-answers.ts';
import { actionAnswer, createPlanner, planForTest, planOf } from '../../test/plan-setup.ts';
import { createTool } from '../../test/run-setup.ts';
import { createModelOf } from '../../test/scripted-model.ts';
import { createContextCompressor } from '../index.ts';

const echo = () => createTool((text) => `did ${text}`);

describe('runPlannedTask', () => {
  it('plans, carries out one action after the other and reports in prose', async () => {
    const work = echo();
    const model = createPlanner(planOf('a', 'b'));
    const { result, events } = await planForTest({ model, tools: { work } });
    expect(result).toMatchObject({
      kind: 'ended',
      outcome: {
        status: 'completed',
        finalText: 'All is done.',
        statistics: { modelCalls: 7, toolCalls: 2 },
      },
    });
    expect(work.calls).toEqual(['a', 'b']);
    expect(events).toMatchInlineSnapshot(`
      [
        "before_planning: go",
        "plan",
        "after_planning: go",
        "= execution",
        "before_action: go",
        "task_1 started (1)",
        "before_iteration: go",
        "task_1 succeeded (1)",
        "before_action: go",
        "task_2 started (1)",
        "before_iteration: go",
        "task_2 succeeded (1)",
        "before_iteration: go",
        "= report",
        "before_iteration: go",
        "before_finish: go",
      ]
    `);
  });

  it('asks the model that plans for all but the work itself [NX-199]', async () => {
    const [model, planningModel] = [createPlanner(planOf('a', 'b')), createPlanner(planOf('a', 'b'))];
    const { result } = await planForTest({ model, planningModel, tools: { work: echo() } });
    expect(result).toMatchObject({ kind: 'ended', outcome: { status: 'completed' } });
    const lastPhases = (prompts: readonly unknown[]) =>
      new Set(
        prompts.map((prompt) => [...JSON.stringify(prompt).matchAll(/Planning phase: (\w+)/g)].at(-1)?.[1]),
      );
    expect(lastPhases(model.prompts)).toEqual(new Set(['execution']));
    expect(lastPhases(planningModel.prompts)).toEqual(new Set(['planning', 'report']));
  });

  it('says in the facts of its completion what code counted, and what the model learned', async () => {
    const { journal } = await planForTest({
      model: createPlanner(planOf('a', 'b')),
      tools: { work: echo() },
    });
    expect(factsOf(journal, 'completion')).toMatchObject([
      {
        completion: {
          done: true,
          summary: {
            goal_achieved: true,
            tasks_completed: 2,
            tasks_failed: 0,
            key_outcomes: ['It works.'],
            lessons_learned: ['Look first.'],
          },
        },
      },
    ]);
  });

  it('goes on without a plan after three that cannot be carried out, and says so openly [NX-134]', async () => {
    const bad = { ...planOf('a', 'b'), action_plan: { execution_order: [], actions: [] } };
    const asked: string[] = [];
    const work = echo();
    const { result, journal, events } = await planForTest({
      model: createPlanner(planOf('a', 'b'), {
        planning: ({ text, after }) => {
          asked.push(after.at(-1)?.text ?? text);
          return asked.length === 1 ? 'I will simply begin.' : JSON.stringify(bad);
        },
        loop: () =>
          work.calls.length === 0 ? [{ id: '1', tool: 'work', input: { text: 'x' } }] : 'Done in loop mode.',
      }),
      tools: { work },
    });
    expect(asked).toHaveLength(3);
    expect(asked[2]).toContain('The plan has no action');
    expect(factsOf(journal, 'loop_mode')).toMatchObject([
      { reason: 'bad_plan', details: [expect.anything()] },
    ]);
    expect(events).toContain('loop-mode');
    expect(result).toMatchObject({ outcome: { status: 'completed', finalText: 'Done in loop mode.' } });
    expect(result).not.toMatchObject({ outcome: { status: 'partial' } });
  });

  it('does a task that is understood as one action without a plan [NX-134]', async () => {
    const work = echo();
    const model = createPlanner(planOf('a'), {
      loop: () =>
        work.calls.length === 0 ? [{ id: '1', tool: 'work', input: { text: 'a' } }] : 'Done at once.',
    });
    const { result, journal } = await planForTest({ model, tools: { work } });
    expect(listFacts(journal)).toMatchObject([{ type: 'loop_mode', reason: 'one_action', details: [] }]);
    expect(result).toMatchObject({ outcome: { status: 'completed', finalText: 'Done at once.' } });
  });

  it('refuses a tool that changes things while it plans, and lists the same tools to every request', async () => {
    const work = echo();
    const look = { ...echo(), readOnly: true };
    const model = createPlanner(planOf('a', 'b'), {
      planning: ({ after }) => {
        if (after.some(({ role }) => role === 'tool')) return JSON.stringify(planOf('a', 'b'));
        return ['work', 'look'].map((tool, id) => ({ id: `${id}`, tool, input: { text: 'early' } }));
      },
    });
    const { result, journal } = await planForTest({ model, tools: { work, look } });
    expect(look.calls).toEqual(['early']);
    expect(work.calls).toEqual(['a', 'b']);
    expect(JSON.stringify(journal.entries)).toContain('may not be called in this phase');
    expect(result).toMatchObject({ outcome: { status: 'completed' } });
  });

  it('is at the end of its model calls in the midst of a plan: it says where it stands, and has failed', async () => {
    const model = createPlanner(planOf('a', 'b', 'c'), {
      execution: ({ task, after }) => {
        if (after.at(-1)?.text.includes('last turn')) return 'Half of it is done.';
        if (after.some(({ role }) => role === 'tool')) return actionAnswer(task ?? '');
        return [{ id: '1', tool: 'work', input: { text: task } }];
      },
    });
    const { result } = await planForTest({ model, tools: { work: echo() }, limits: { maxSteps: 4 } });
    expect(result).toMatchObject({
      outcome: {
        status: 'failed',
        finalText: 'Half of it is done.',
        reason: expect.stringContaining('4 model calls'),
      },
    });
  });

  it('is deferred by a model that cannot be asked, and goes on', async () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    const first = await planForTest({ model: createModelOf(refused), tools: { work: echo() } });
    expect(first.result.kind).toBe('deferred');
    const { result } = await planForTest({
      model: createPlanner(planOf('a', 'b')),
      tools: { work: echo() },
      journal: first.journal,
    });
    expect(result).toMatchObject({ outcome: { status: 'completed' } });
  });

  it('asks for an action again whose request was compressed out of sight', async () => {
    const made: (string | null)[] = [];
    const work = createTool(() => 'x'.repeat(4_000));
    const model = createPlanner(planOf('a', 'b'), {
      execution: ({ task }) => {
        if (made.filter((one) => one === task).length >= 10) return actionAnswer(task ?? '');
        return [
          { id: `${made.push(task)}`, tool: 'work', input: { text: `${made.length} ${'y'.repeat(4_000)}` } },
        ];
      },
    });
    const compressor = createContextCompressor({
      model: createModelOf(...Array(30).fill('What was done so far.')),
      contextLength: 8_000,
    });
    const { result, journal } = await planForTest({ model, tools: { work }, compressor });
    const said = journal.entries.map((entry) => JSON.stringify(entry));
    expect(said.filter((line) => line.includes('(request 3).')).length).toBeGreaterThan(1);
    expect(made).toEqual([...Array(10).fill('task_1'), ...Array(10).fill('task_2')]);
    expect(result).toMatchObject({ outcome: { status: 'completed' } });
  });
});
