import { type PlanningState, readPlanningState } from '@agent/runner/planning';
import { z } from 'zod';

/** Plan of a run as it is now, with its revisions. */
export interface PlanView {
  readonly goal: string;
  readonly phase: string;
  readonly actions: readonly PlanActionView[];
  readonly revisions: readonly {
    readonly at: number;
    readonly reason: string;
    readonly changes: readonly string[];
  }[];
  readonly verifications: readonly {
    readonly at: number;
    readonly passed: boolean;
    readonly issues: readonly string[];
  }[];
}

/** Action of a plan. */
export interface PlanActionView {
  readonly id: string;
  readonly text: string;
  readonly tool: string | null;
  readonly state: 'open' | 'started' | 'succeeded' | 'failed' | 'dropped';
  readonly detail: string | null;
}

/** Facts of a record about a plan, with their time. */
export interface PlanFacts {
  readonly planning: readonly { readonly at: number; readonly data: unknown }[];
  /** Steps that an agent told of last; null for one that tells of none. */
  readonly agent: unknown;
}

/** Shows the plan of a run: its own, or what its agent tells of; null without one. */
export function toPlanView({ planning, agent }: PlanFacts): PlanView | null {
  if (planning.length === 0) return toAgentPlan(agent);
  const state = readPlanningState(planning.map(({ data }) => data));
  if (state.plan === null) return null;
  return {
    goal: state.plan.goal_understanding.main_objective,
    phase: state.phase,
    actions: listActions(state, state.plan),
    revisions: planning.flatMap(({ at, data }) => toRevision(at, data)),
    verifications: planning.flatMap(({ at, data }) => toVerification(at, data)),
  };
}

const actionStates = {
  waiting: 'open',
  started: 'started',
  succeeded: 'succeeded',
  failed: 'failed',
  invalidated: 'dropped',
} as const;

function listActions(
  state: PlanningState,
  plan: NonNullable<PlanningState['plan']>,
): readonly PlanActionView[] {
  const byId = new Map(plan.action_plan.actions.map((action) => [action.task_id, action]));
  return [...state.tasks].flatMap(([id, { state: standing, detail }]) => {
    const action = byId.get(id);
    if (action === undefined) return [];
    const shown = { state: actionStates[standing], detail: detail === '' ? null : detail };
    return [{ id, text: action.purpose, tool: action.tool, ...shown }];
  });
}

const revisionSchema = z.object({
  type: z.literal('revision'),
  reason: z.string().default(''),
  changes: z.array(z.union([z.string(), z.looseObject({ details: z.string().default('') })])).default([]),
});
const verificationSchema = z.object({
  type: z.literal('verification'),
  verification_result: z.object({ verification_passed: z.boolean(), issues_found: z.array(z.string()) }),
});

function toRevision(at: number, data: unknown): PlanView['revisions'] {
  const fact = revisionSchema.safeParse(data).data;
  if (fact === undefined) return [];
  const changes = fact.changes.map((change) => (typeof change === 'string' ? change : change.details));
  return [{ at, reason: fact.reason, changes }];
}

function toVerification(at: number, data: unknown): PlanView['verifications'] {
  const result = verificationSchema.safeParse(data).data?.verification_result;
  if (result === undefined) return [];
  return [{ at, passed: result.verification_passed, issues: result.issues_found }];
}

const agentSchema = z.array(
  z.object({ text: z.string(), status: z.enum(['pending', 'in_progress', 'completed']) }),
);
const agentStates = { pending: 'open', in_progress: 'started', completed: 'succeeded' } as const;

function toAgentPlan(agent: unknown): PlanView | null {
  const steps = agentSchema.safeParse(agent).data;
  if (steps === undefined) return null;
  const actions = steps.map(({ text, status }, index) => {
    return { id: String(index + 1), text, tool: null, state: agentStates[status], detail: null };
  });
  return { goal: '', phase: 'execution', actions, revisions: [], verifications: [] };
}
