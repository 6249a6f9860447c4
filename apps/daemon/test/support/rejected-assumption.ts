import { fixStory, type PlanStory, planOf, toAction, verification } from './planning-script.ts';

const wrong = { path: 'total.js', old_text: 'line.cost', new_text: 'line.price' };
const right = {
  path: 'total.js',
  old_text: 'line.price',
  new_text: 'line.price * line.quantity /* TODO: round */',
};
const tidy = { path: 'total.js', old_text: ' /* TODO: round */', new_text: '' };
const steps = [
  { text: 'Read the code that sums up', tool: 'read_file' },
  { text: 'Multiply by the quantity', tool: 'edit_file' },
  { text: 'Round to two places', tool: 'edit_file', restsOn: ['A1'] },
];
const runTests = { text: 'Run the tests', tool: 'run_command' };

/** An edit that fails, a step that depends on the assumption A1, and a placeholder that the first verification finds. */
export const rejectedAssumption: PlanStory = {
  plan: () => planOf(steps),
  acts: {
    task_1: fixStory.acts.task_1,
    task_2: [
      { name: 'edit_file', input: wrong },
      { name: 'edit_file', input: right },
    ],
    task_3: [{ name: 'edit_file', input: { path: 'total.js', old_text: 'x', new_text: 'y' } }],
    task_4: fixStory.acts.task_3,
    verification_fix_1: [{ name: 'edit_file', input: tidy }],
  },
  revise: () => ({
    phase: 'revision',
    plan_revision: {
      reason: 'Yen have no cents.',
      changes: [{ type: 'remove_action', details: 'task_3' }],
      updated_action_plan: {
        execution_order: ['task_1', 'task_2', 'task_4'],
        actions: [...steps.slice(0, 2), runTests].map((step, index) =>
          toAction(['task_1', 'task_2', 'task_4'][index] ?? '', step),
        ),
      },
      updated_subtasks: [
        {
          ...{ id: 'task_4', description: runTests.text, dependencies: ['task_2'], rests_on: [] },
          ...{ estimated_complexity: 'low', required_tools: [runTests.tool] },
        },
      ],
    },
  }),
  verify: ({ number }: { readonly number: number }) =>
    number === 1
      ? verification({
          passed: false,
          actions: [toAction('verification_fix_1', { text: 'Take the placeholder out', tool: 'edit_file' })],
        })
      : verification({}),
};
