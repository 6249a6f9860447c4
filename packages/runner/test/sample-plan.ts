import { readPlan } from '../src/planning/answers/plan.ts';
import type { Plan } from '../src/planning/model.ts';

/** Names of the tools that the sample plan may call. */
export const planTools: readonly string[] = ['read_file', 'edit_file', 'run_tests'];

/** Plan of three subtasks as a model writes it: JSON that nothing has read yet. */
export const samplePlan = {
  phase: 'planning',
  goal_understanding: {
    main_objective: 'Round totals half up',
    success_criteria: ['`npm test` passes'],
    constraints: ['no new dependencies'],
    context: 'The cart adds floats.',
  },
  task_decomposition: {
    reasoning: 'Look first, then change, then test.',
    subtasks: [
      {
        id: 'task_1',
        description: 'Read the code that adds',
        dependencies: [],
        estimated_complexity: 'low',
        required_tools: ['read_file'],
        rests_on: [],
      },
      {
        id: 'task_2',
        description: 'Round in one place',
        dependencies: ['task_1'],
        estimated_complexity: 'medium',
        required_tools: ['edit_file'],
        rests_on: ['A1'],
      },
      {
        id: 'task_3',
        description: 'Run the tests',
        dependencies: ['task_2'],
        estimated_complexity: 'low',
        required_tools: ['run_tests'],
        rests_on: [],
      },
    ],
  },
  action_plan: {
    execution_order: ['task_1', 'task_2', 'task_3'],
    actions: [
      {
        task_id: 'task_1',
        action_type: 'tool_call',
        tool: 'read_file',
        parameters: { path: 'src/cart.ts' },
        purpose: 'Find the sum',
        expected_outcome: 'The lines that add are known',
        fallback_strategy: 'List the folder',
      },
      {
        task_id: 'task_2',
        action_type: 'tool_call',
        tool: 'edit_file',
        parameters: { path: 'src/cart.ts' },
        purpose: 'Round half up',
        expected_outcome: 'One function rounds',
        fallback_strategy: 'Write the file anew',
      },
      {
        task_id: 'task_3',
        action_type: 'tool_call',
        tool: 'run_tests',
        parameters: {},
        purpose: 'See that it holds',
        expected_outcome: 'Exit code 0',
        fallback_strategy: null,
      },
    ],
  },
  comment: 'Three steps.',
};

/** The sample plan as it is read, with changes to what the model wrote. */
export function toSamplePlan(change: (plan: typeof samplePlan) => void = () => {}): Plan {
  const written = structuredClone(samplePlan);
  change(written);
  const reading = readPlan(JSON.stringify(written), { tools: planTools, maxSubtasks: 1_000 });
  if (reading.kind !== 'ok') throw new Error(`The sample is no plan: ${JSON.stringify(reading)}`);
  return reading.value;
}
