import { createHash } from 'node:crypto';
import type {
  ActionState,
  CompletionAnswer,
  LoopModeReason,
  Plan,
  PlannedAction,
  PlanningFact,
  PlanningPhaseName,
  ReplanCounts,
  ReplanDecision,
  RevisionCause,
  VerificationAnswer,
} from './model.ts';
import { parseFact } from './parse-fact.ts';
import { countReplanFact } from './replan-limits.ts';

/** Progress of one task of a plan. */
export interface TaskProgress {
  readonly state: 'waiting' | ActionState;
  /** Times that it was begun. */
  readonly attempts: number;
  readonly detail: string;
  readonly evidence: readonly string[];
  /** True of a failed one that nothing more is tried for. */
  readonly isSettled: boolean;
}

/** Question that has no answer yet. */
export interface OpenQuestion {
  readonly id: string;
  readonly questions: readonly string[];
  readonly assumptions: readonly string[];
  /** ISO 8601, UTC; null where an answer is waited for without end. */
  readonly until: string | null;
}

/** Standing of a plan's approval. */
export interface ApprovalState {
  readonly planHash: string;
  readonly requestSha256: string | null;
  readonly state: 'asked' | 'given' | 'void';
}

/** Standing of a plan: a fold over its facts and nothing else. */
export interface PlanningState {
  /** In the order of the journal. */
  readonly facts: readonly PlanningFact[];
  readonly phase: PlanningPhaseName;
  /** The latest, with what verification added; null before the first. */
  readonly plan: Plan | null;
  readonly planHash: string | null;
  /** By the id of the task, in the order in which they are carried out. */
  readonly tasks: ReadonlyMap<string, TaskProgress>;
  readonly loopMode: LoopModeReason | null;
  readonly question: OpenQuestion | null;
  /** Tells how the last question ended; null before the first. */
  readonly lastAnswer: 'comment' | 'assumed' | null;
  readonly approval: ApprovalState | null;
  /** Cause of a revision that is wanted and not made yet. */
  readonly pendingRevision: RevisionCause | null;
  readonly revisions: number;
  readonly replanCounts: ReplanCounts;
  /** Actions that ended since the last reflection. */
  readonly actionsSinceReflection: number;
  /** Reflections since the last action. */
  readonly reflectionsSinceAction: number;
  readonly verifications: readonly VerificationAnswer[];
  /** Rounds of verification since people last had the plan changed. */
  readonly rounds: number;
  /** Tells whether an action ended since the last verification. */
  readonly isVerified: boolean;
  readonly completion: CompletionAnswer | null;
}

/** Standing before the first fact. */
export const noPlanningState: PlanningState = {
  facts: [],
  phase: 'planning',
  plan: null,
  planHash: null,
  tasks: new Map(),
  loopMode: null,
  question: null,
  lastAnswer: null,
  approval: null,
  pendingRevision: null,
  revisions: 0,
  replanCounts: {},
  actionsSinceReflection: 0,
  reflectionsSinceAction: 0,
  verifications: [],
  rounds: 0,
  isVerified: false,
  completion: null,
};

const unbegun: TaskProgress = { state: 'waiting', attempts: 0, detail: '', evidence: [], isSettled: false };

/**
 * Reads the standing of a plan from the lines about it, as a journal gives them back; one that says nothing is
 * left out.
 *
 * @example
 * const { plan, tasks } = readPlanningState(facts);
 */
export function readPlanningState(lines: readonly unknown[]): PlanningState {
  return lines
    .map(parseFact)
    .filter((fact) => fact !== null)
    .reduce(applyFact, noPlanningState);
}

/** The standing after one more fact. */
export function applyFact(before: PlanningState, fact: PlanningFact): PlanningState {
  return {
    ...before,
    ...toChanges(before, fact),
    facts: [...before.facts, fact],
    replanCounts: countReplanFact(before.replanCounts, fact),
  };
}

function toChanges(before: PlanningState, fact: PlanningFact): Partial<PlanningState> {
  switch (fact.type) {
    case 'plan':
      return startPlan(fact);
    case 'revision':
      return revise(before, fact);
    case 'revision_dropped':
      return { pendingRevision: null };
    case 'reflection':
      return {
        pendingRevision: toPendingRevision(before, fact),
        actionsSinceReflection: 0,
        reflectionsSinceAction: before.reflectionsSinceAction + 1,
        completion: null,
      };
    case 'replan_decision':
      return decide(before, fact);
    case 'verification':
      return verify(before, fact);
    case 'phase':
      return { phase: fact.phase };
    case 'action':
      return act(before, fact);
    case 'loop_mode':
      return { loopMode: fact.reason };
    case 'question':
      return { question: fact };
    case 'answered':
      return { question: null, lastAnswer: fact.how };
    case 'approval':
      return {
        approval: { planHash: fact.plan_hash, requestSha256: fact.request_sha256, state: fact.state },
      };
    case 'completion':
      return { completion: fact.completion };
  }
}

/**
 * The revision that is wanted after a reflection. It takes the place of an earlier reflection's; what people say comes before what
 * a decision or a verification wants.
 */
function toPendingRevision(
  { pendingRevision: before }: PlanningState,
  { evaluation, trigger }: Extract<PlanningFact, { type: 'reflection' }>,
): RevisionCause | null {
  const kept = before === 'reflection' || before === 'comment' ? null : before;
  if (!evaluation.reflection.plan_revision_needed) return kept;
  return trigger === 'comment' ? 'comment' : (kept ?? 'reflection');
}

function startPlan(fact: Extract<PlanningFact, { type: 'plan' }>): Partial<PlanningState> {
  const done = new Set(fact.done_task_ids);
  const progress = (id: string) => (done.has(id) ? { ...unbegun, state: 'succeeded' as const } : unbegun);
  return {
    plan: fact.plan,
    planHash: fact.plan_hash,
    tasks: new Map(inOrder(fact.plan).map(({ task_id }) => [task_id, progress(task_id)])),
    pendingRevision: null,
    actionsSinceReflection: 0,
    reflectionsSinceAction: 0,
    isVerified: false,
    completion: null,
  };
}

/** Keeps the checks of what succeeded, unless the plan begins anew; everything else begins anew, as the revision has it. */
function revise(
  before: PlanningState,
  fact: Extract<PlanningFact, { type: 'revision' }>,
): Partial<PlanningState> {
  const { tasks, revisions } = before;
  const isAnew = isPlannedAnew(before);
  const keep = (id: string) => {
    const known = tasks.get(id);
    return known?.state === 'succeeded' && !isAnew ? known : unbegun;
  };
  return {
    plan: fact.updated_plan,
    planHash: fact.plan_hash,
    tasks: new Map(inOrder(fact.updated_plan).map(({ task_id }) => [task_id, keep(task_id)])),
    pendingRevision: null,
    revisions: revisions + 1,
    rounds: fact.cause === 'comment' || fact.cause === 'rejection' ? 0 : before.rounds,
    isVerified: false,
    completion: null,
  };
}

/** A retry begins what failed once more; without a new plan it is settled. */
function decide(
  { tasks, pendingRevision }: PlanningState,
  { next }: Extract<PlanningFact, { type: 'replan_decision' }>,
): Partial<PlanningState> {
  const change = (task: TaskProgress): TaskProgress => {
    if (task.state !== 'failed' || task.isSettled) return task;
    return next === 'retry'
      ? { ...task, state: 'waiting', attempts: 0 }
      : { ...task, isSettled: next === 'none' };
  };
  return {
    tasks: new Map([...tasks].map(([id, task]) => [id, change(task)])),
    pendingRevision: next === 'revise' ? 'replan' : pendingRevision,
  };
}

/** The decision that a wanted revision comes from; null where it comes from something else. */
export function findPendingReplan({ pendingRevision, facts }: PlanningState): ReplanDecision | null {
  if (pendingRevision !== 'replan') return null;
  const fact = facts.findLast((one) => one.type === 'replan_decision' && one.next === 'revise');
  return fact?.type === 'replan_decision' ? fact.llm_decision : null;
}

/** Tells whether the wanted revision has other subtasks or another goal, so that nothing of the plan stays checked. */
export function isPlannedAnew(state: PlanningState): boolean {
  const type = findPendingReplan(state)?.replan_type;
  return type === 'task_redecomposition' || type === 'full_replan' || type === 'goal_revision';
}

/** Ids of the tasks that are done. */
export function listDone(tasks: PlanningState['tasks']): ReadonlySet<string> {
  return new Set([...tasks].filter(([, { state }]) => state === 'succeeded').map(([id]) => id));
}

/** Wants as a revision what a verification names as missing. */
function verify(
  { verifications, rounds, pendingRevision }: PlanningState,
  { verification_result: result }: Extract<PlanningFact, { type: 'verification' }>,
): Partial<PlanningState> {
  const isWanted = !result.verification_passed && result.additional_actions.length > 0;
  return {
    verifications: [...verifications, result],
    rounds: rounds + 1,
    isVerified: true,
    pendingRevision: isWanted ? 'verification' : pendingRevision,
  };
}

function act(
  { tasks, actionsSinceReflection }: PlanningState,
  fact: Extract<PlanningFact, { type: 'action' }>,
): Partial<PlanningState> {
  const { task_id, state, attempt, detail, evidence } = fact;
  const changed = new Map(tasks);
  changed.set(task_id, { state, attempts: attempt, detail, evidence, isSettled: false });
  if (state === 'invalidated') return { tasks: changed, pendingRevision: 'rejection', completion: null };
  if (state === 'started') {
    return { tasks: changed, reflectionsSinceAction: 0, completion: null };
  }
  return {
    tasks: changed,
    actionsSinceReflection: actionsSinceReflection + 1,
    isVerified: false,
  };
}

/** The actions of a plan in the order of their execution; those that the order leaves out come last. */
export function inOrder({
  action_plan: { execution_order: order, actions },
}: Plan): readonly PlannedAction[] {
  const place = new Map(order.map((id, index) => [id, index]));
  const toPlace = ({ task_id }: PlannedAction) => place.get(task_id) ?? order.length;
  return [...actions].sort((a, b) => toPlace(a) - toPlace(b));
}

/** Fingerprint of what a plan sets out to do: goal, subtasks and actions. Hexadecimal SHA-256. */
export function hashPlan({ goal_understanding, task_decomposition, action_plan }: Plan): string {
  const { subtasks } = task_decomposition;
  const parts = [goal_understanding, subtasks, inOrder({ action_plan } as Plan)];
  return createHash('sha256').update(JSON.stringify(parts, sortKeys)).digest('hex');
}

/** A journal may give keys back in another order. */
function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
