import { hashPlan, type Plan, type PlanningFact, planningFactName } from '@agent/runner/planning';
import type { Run } from '../run/run.ts';
import { readRunPlan } from './plan-mode.ts';

/** Work that is found to be missing once a plan is through. */
export interface AddedAction {
  /** Id of one that is added once, however often that is asked for. Default: a new one. */
  readonly id?: string | undefined;
  readonly tool: string;
  /** For the model, in a sentence. */
  readonly purpose: string;
  readonly expectedOutcome: string;
}

/** Adds an action to the plan of a run, as a revision of it: the run goes on with that. Nothing for a run without a plan. */
export async function addAction(
  run: Pick<Run, 'state' | 'journal'>,
  { id: named, tool, purpose, expectedOutcome }: AddedAction,
): Promise<void> {
  const state = await readRunPlan(run);
  if (state === null || state.loopMode !== null || state.plan === null) return;
  const { task_decomposition: decomposition, action_plan: actions } = state.plan;
  if (actions.actions.some(({ task_id }) => task_id === named)) return;
  const number = state.revisions + 1;
  const id = named ?? `delivery_fix_${number}`;
  const subtask = {
    ...{ id, description: purpose, dependencies: [], rests_on: [], required_tools: [tool] },
    estimated_complexity: 'low' as const,
  };
  const action = {
    ...{ task_id: id, action_type: 'tool_call', tool, parameters: {}, purpose },
    expected_outcome: expectedOutcome,
    fallback_strategy: null,
  };
  const plan: Plan = {
    ...state.plan,
    task_decomposition: { ...decomposition, subtasks: [...decomposition.subtasks, subtask] },
    action_plan: {
      execution_order: [...actions.execution_order, id],
      actions: [...actions.actions, action],
    },
  };
  const fact: PlanningFact = {
    ...{ type: 'revision', number, reason: purpose, cause: 'verification' },
    changes: [{ type: 'add_action', details: purpose }],
    updated_plan: plan,
    plan_hash: hashPlan(plan),
  };
  await run.journal.append({ type: 'fact', name: planningFactName, data: fact });
}
