import type { RunJournal } from '@agent/run-store';
import {
  hashPlan,
  type Plan,
  type PlanningFact,
  type PlanningState,
  planningFactName,
} from '@agent/runner/planning';
import type { ModelMessage } from 'ai';
import { type PlannedOnDisk, readRunPlan } from './plan-mode.ts';

/** A run, as far as its plan is read and changed. */
interface ChangedPlan extends PlannedOnDisk {
  readonly uuid: string;
  readonly journal: Pick<RunJournal<ModelMessage>, 'read' | 'append'>;
}

/** Work that is found to be missing once a plan is through. */
export interface AddedAction {
  /** Id of one that is added once, however often that is asked for. Default: a new one. */
  readonly id?: string | undefined;
  readonly tool: string;
  /** For the model, in a sentence. */
  readonly purpose: string;
  readonly expectedOutcome: string;
  /** `comment`: other people want it, so that verification begins to count anew. */
  readonly cause: 'comment' | 'verification';
}

/** Adds an action to the plan of a run, as a revision of it: the run goes on with that. Nothing for a run without a plan. */
export async function addAction(
  run: ChangedPlan,
  { id: wanted, tool, purpose, expectedOutcome, cause }: AddedAction,
): Promise<void> {
  const state = await readRunPlan(run);
  if (state === null || state.loopMode !== null || state.plan === null) return;
  const { task_decomposition: decomposition, action_plan: actions } = state.plan;
  const number = state.revisions + 1;
  const id = wanted === undefined ? `delivery_fix_${number}` : toOwnId(run, { id: wanted, state });
  if (actions.actions.some(({ task_id }) => task_id === id)) return;
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
    ...{ type: 'revision', number, reason: purpose, cause },
    changes: [{ type: 'add_action', details: purpose }],
    updated_plan: plan,
    plan_hash: hashPlan(plan),
  };
  await run.journal.append({ type: 'fact', name: planningFactName, data: fact });
}

/** Keeps the id apart from one that the plan began with, which may be that of an earlier run. */
function toOwnId(
  { uuid }: Pick<ChangedPlan, 'uuid'>,
  { id, state }: { readonly id: string; readonly state: PlanningState },
): string {
  const isTaken = state.facts.some(
    (fact) => fact.type === 'plan' && fact.plan.action_plan.actions.some(({ task_id }) => task_id === id),
  );
  return isTaken ? `${id}_${uuid.slice(0, 8)}` : id;
}
