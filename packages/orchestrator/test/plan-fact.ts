import { hashPlan, type Plan, type PlanningFact } from '@agent/runner/planning';

/** The fact of a plan with one action for each of these tasks, in a row. */
export function planFact(...ids: readonly string[]): PlanningFact {
  const plan: Plan = {
    phase: 'planning',
    goal_understanding: { main_objective: 'x', success_criteria: [], constraints: [], context: '' },
    task_decomposition: {
      reasoning: '',
      subtasks: ids.map((id, index) => ({
        id,
        description: id,
        dependencies: ids.slice(Math.max(0, index - 1), index),
        estimated_complexity: 'low',
        required_tools: [],
        rests_on: [],
      })),
    },
    action_plan: {
      execution_order: ids,
      actions: ids.map((id) => ({
        task_id: id,
        action_type: 'tool_call',
        tool: 'read_file',
        parameters: {},
        purpose: id,
        expected_outcome: '',
        fallback_strategy: null,
      })),
    },
    comment: null,
  };
  const made = { origin: 'new', request_sha256: null, done_task_ids: [] } as const;
  return { type: 'plan', plan, plan_hash: hashPlan(plan), ...made };
}
