import { describe, expect, it } from 'vitest';
import { planTools, samplePlan } from '../../../test/sample-plan.ts';
import { readPlan } from './plan.ts';

const rules = { tools: planTools, maxSubtasks: 10 };
const read = (text: unknown) => readPlan(typeof text === 'string' ? text : JSON.stringify(text), rules);
const change = (edit: (plan: typeof samplePlan) => void) => {
  const plan = structuredClone(samplePlan);
  edit(plan);
  return plan;
};
type SampleActions = (typeof samplePlan)['action_plan']['actions'];
const repeat = (actions: SampleActions, times: number) =>
  Array.from({ length: times }, () => structuredClone(actions.slice(0, 1))).flat();
const reasonsOf = (text: unknown) => {
  const reading = read(text);
  return reading.kind === 'bad' ? reading.reasons : [];
};

describe('readPlan', () => {
  it.each([
    ['alone', JSON.stringify(samplePlan)],
    ['behind thoughts', `<think>{"action_plan":{}}</think>\n${JSON.stringify(samplePlan)}`],
    [
      'in a fence',
      `Here is the plan:\n\`\`\`json\n${JSON.stringify(samplePlan, null, 2)}\n\`\`\`\nShall I begin?`,
    ],
    ['between braces of prose', `For \`{ x }\` I plan ${JSON.stringify(samplePlan)} and {}.`],
    ['within a frame', JSON.stringify({ phase: 'planning', plan: samplePlan })],
  ])('reads a plan %s', (_, text) => {
    expect(read(text)).toEqual({ kind: 'ok', value: samplePlan, notes: [] });
  });

  it('makes a subtask of each action where the plan names none, and takes their order for the order', () => {
    const reading = read({
      goal: 'x',
      goal_understanding: 'Round totals',
      actions: [{ task_id: 1, tool: 'read_file', purpose: 'Look' }],
    });
    expect(reading).toMatchObject({
      kind: 'ok',
      value: {
        goal_understanding: { main_objective: 'Round totals', success_criteria: [] },
        task_decomposition: { subtasks: [{ id: '1', description: 'Look', estimated_complexity: 'medium' }] },
        action_plan: {
          execution_order: ['1'],
          actions: [{ action_type: 'tool_call', fallback_strategy: null }],
        },
        comment: null,
      },
    });
  });

  it('says in notes what it took for something else than it was written as', () => {
    const plan = change(({ goal_understanding: goal, task_decomposition: { subtasks } }) => {
      Object.assign(goal, { success_criteria: 'tests pass' });
      Object.assign(subtasks[0] ?? {}, { estimated_complexity: 'trivial', required_tools: 'read_file' });
    });
    expect(read(plan)).toMatchObject({
      kind: 'ok',
      notes: [
        'goal_understanding.success_criteria: "tests pass" was read as a list of 1',
        'task_decomposition.subtasks.0.estimated_complexity: "trivial" was read as "medium"',
        'task_decomposition.subtasks.0.required_tools: "read_file" was read as a list of 1',
      ],
    });
  });

  it.each([
    ['of its own', { phase: 'planning', error: { type: 'unclear_goal', message: 'Which totals?' } }],
    ['as a word', { phase: 'planning', error: 'unclear_goal', message: 'Which totals?' }],
    ['beside empty parts', { error: { clarification_needed: 'Which totals?' }, goal_understanding: {} }],
  ])('takes an unclear goal for a question: %s', (_, answer) => {
    expect(read(answer)).toMatchObject({ kind: 'unclear-goal', questions: ['Which totals?'] });
  });

  it('asks for a question where a goal is called unclear and nothing is asked', () => {
    expect(reasonsOf({ error: { type: 'unclear_goal' } })).toHaveLength(1);
  });

  it('says what is missing in an object that is no plan, and all that is wrong in one that is', () => {
    expect(reasonsOf({})).toEqual([expect.stringContaining('contains none of action_plan')]);
    expect(reasonsOf({ action_plan: { actions: [{ tool: 'rm' }] } })).toEqual([
      expect.stringContaining('main_objective is empty'),
      expect.stringContaining('A subtask has no id'),
      expect.stringContaining('An action has no task_id'),
      expect.stringContaining('There is no tool "rm"'),
      expect.stringContaining('The tools: read_file'),
    ]);
  });

  it.each([
    ['prose', 'First I read the code, then I change it.'],
    ['another answer', { phase: 'completion', done: true, summary: { goal_achieved: true } }],
    ['a list', '[1, 2, 3]'],
    ['nothing', ''],
  ])('says what was wrong with %s', (_, text) => {
    expect(reasonsOf(text)).toEqual([expect.stringMatching(/^The answer could not be read: .+\.$/)]);
  });

  it('keeps no key of the language and no endless depth in parameters', () => {
    const deep = `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`;
    const text = JSON.stringify(samplePlan).replace(
      '{"path":"src/cart.ts"}',
      `{"__proto__":{"admin":true},"constructor":1,"path":"a","deep":${deep}}`,
    );
    const reading = read(text);
    const parameters = reading.kind === 'ok' ? reading.value.action_plan.actions[0]?.parameters : {};
    expect(Object.keys(parameters ?? {})).toEqual(['path', 'deep']);
    expect(JSON.stringify(parameters).length).toBeLessThan(150);
  });
});

describe('a plan that code does not take', () => {
  it.each<[string, (plan: typeof samplePlan) => void, RegExp]>([
    [
      'without actions',
      ({ action_plan: { actions } }) => void actions.splice(0),
      /no action: write at least one/,
    ],
    [
      'without a goal',
      ({ goal_understanding: goal }) => void Object.assign(goal, { main_objective: '…' }),
      /main_objective is empty/,
    ],
    [
      'with a repeated subtask',
      ({ task_decomposition: { subtasks } }) => void subtasks.push(...subtasks.slice(0, 1)),
      /Several subtasks have the id "task_1"/,
    ],
    [
      'with a repeated action',
      ({ action_plan: { actions } }) => void actions.push(...actions.slice(0, 1)),
      /Several actions have the task_id "task_1"/,
    ],
    [
      'with a subtask that nothing does',
      ({ action_plan: { actions } }) => void actions.pop(),
      /subtask "task_3" has no action/,
    ],
    [
      'with an action of no subtask',
      ({ task_decomposition: { subtasks } }) => void subtasks.shift(),
      /action "task_1" belongs to no subtask/,
    ],
    [
      'with an unknown tool',
      ({ action_plan: { actions } }) => void Object.assign(actions[0] ?? {}, { tool: 'rm_rf' }),
      /There is no tool "rm_rf"/,
    ],
    [
      'with a tool left out',
      ({ action_plan: { actions } }) => void Object.assign(actions[0] ?? {}, { tool: null }),
      /An action names no tool/,
    ],
    [
      'with a dependency on nothing',
      ({ task_decomposition: { subtasks } }) => void subtasks[2]?.dependencies.push('task_9' as never),
      /"task_3" depends on "task_9", which is no subtask/,
    ],
    [
      'with a circle',
      ({ task_decomposition: { subtasks } }) => void subtasks[0]?.dependencies.push('task_3' as never),
      /circle of dependencies, or wait for one: "task_1", "task_2", "task_3"/,
    ],
    [
      'with an order against its dependencies',
      ({ action_plan: plan }) => void plan.execution_order.reverse(),
      /has "task_2" before "task_1", on which it depends/,
    ],
    [
      'with an order that leaves something out',
      ({ action_plan: plan }) => void plan.execution_order.pop(),
      /leaves out "task_3"/,
    ],
    [
      'with an order of unknown names',
      ({ action_plan: plan }) => void plan.execution_order.push('task_x'),
      /names "task_x", which no action has/,
    ],
    [
      'with more steps than are allowed',
      ({ action_plan: { actions } }) => void actions.push(...repeat(actions, 20)),
      /has 23 steps or more; at most 10/,
    ],
    [
      'that is far too long',
      ({ action_plan: { actions } }) => {
        for (const action of actions.slice(0, 1)) Object.assign(action.parameters, { a: 'x'.repeat(49_000) });
        actions.push(...repeat(actions, 4));
      },
      /more than 200000 characters/,
    ],
  ])('says what to change in one %s [NX-117]', (_, edit, reason) => {
    expect(reasonsOf(change(edit)).join('\n')).toMatch(reason);
  });

  it('gives at most ten reasons of bounded length [NX-116]', () => {
    const reasons = reasonsOf(
      change(({ action_plan: { actions }, task_decomposition: { subtasks } }) => {
        for (const task of subtasks) {
          task.dependencies = Array.from({ length: 30 }, (_, i) => `${'x'.repeat(90)}${i}`) as never[];
        }
        for (const action of actions) action.tool = 'y'.repeat(5_000);
      }),
    );
    expect(reasons).toHaveLength(10);
    expect(reasons.at(-1)).toMatch(/^And \d+ more reasons/);
    expect(Math.max(...reasons.map(({ length }) => length))).toBeLessThanOrEqual(300);
  });
});
