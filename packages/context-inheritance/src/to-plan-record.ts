import type { ActionRecord, PlanRecord, VerificationHistory } from './model.ts';
import type { PlanEntry, PlanEntryOf, WrittenAction } from './plan-entries.ts';

const mostItems = 10;
const maxItemChars = 300;

/** Parts of planning histories that are inherited. @see seed 002 §13.9 */
export interface PlanningRules {
  readonly inheritPlans: boolean;
  readonly inheritVerifications: boolean;
  readonly inheritReflections: boolean;
  readonly reuseSuccessfulPatterns: boolean;
}

type Reflection = PlanEntryOf<'reflection'>['evaluation']['reflection'];

/** Sums up the planning history of one run; null when nothing of it is to be inherited. @see seed 002 §13.2 */
export function toPlanRecord(
  entries: readonly PlanEntry[],
  {
    run,
    rules,
  }: { readonly run: Pick<PlanRecord, 'runUuid' | 'status' | 'completedAt'>; readonly rules: PlanningRules },
): PlanRecord | null {
  const actions = rules.inheritPlans ? listActions(entries) : [];
  const plan = rules.inheritPlans ? sumUpPlan(entries, actions) : null;
  const verification = rules.inheritVerifications ? sumUpVerification(entries) : null;
  const learnings = rules.inheritReflections ? listLearnings(entries) : [];
  if (plan === null && verification === null && learnings.length === 0) return null;
  const count = (state: ActionRecord['state']) => actions.filter((action) => action.state === state).length;
  const isKept = ({ state }: ActionRecord) => rules.reuseSuccessfulPatterns || state !== 'succeeded';
  return {
    ...run,
    plan,
    execution: {
      succeeded: count('succeeded'),
      failed: count('failed'),
      actions: actions.filter(isKept).slice(-mostActions),
    },
    verification,
    learnings,
  };
}

/** As many as a plan has. */
const mostActions = 100;

function ofType<Type extends PlanEntry['type']>(
  entries: readonly PlanEntry[],
  type: Type,
): PlanEntryOf<Type>[] {
  return entries.filter((entry): entry is PlanEntryOf<Type> => entry.type === type);
}

function sumUpPlan(entries: readonly PlanEntry[], outcomes: readonly ActionRecord[]): PlanRecord['plan'] {
  const first = ofType(entries, 'plan').at(-1);
  if (first === undefined) return null;
  const { plan } = first;
  const actions = listLatestActions(entries);
  return {
    goal: toItem(plan.goal_understanding?.main_objective),
    successCriteria: toItems(plan.goal_understanding?.success_criteria ?? []),
    subtasks: (plan.task_decomposition?.subtasks ?? []).slice(0, mostActions).map((subtask) => ({
      id: toItem(subtask.id),
      description: toItem(subtask.description),
      dependencies: toItems(subtask.dependencies),
      complexity: subtask.estimated_complexity ?? null,
    })),
    actionCount: actions.length,
    executedCount: countExecuted(entries, { actions, outcomes }),
    requestSha256: first.request_sha256 ?? null,
    revisionReasons: toItems(ofType(entries, 'revision').map(({ reason }) => reason)),
    replanReasons: toItems(ofType(entries, 'replan_decision').map((entry) => entry.llm_decision.reasoning)),
  };
}

/** Actions of the latest plan, or of the revision that replaced it, and those that verification added since. */
function listLatestActions(entries: readonly PlanEntry[]): readonly WrittenAction[] {
  const index = entries.findLastIndex((entry) => readPlannedActions(entry) !== null);
  const planned = entries
    .slice(Math.max(0, index), index + 1)
    .flatMap((entry) => readPlannedActions(entry) ?? []);
  return [...planned, ...entries.slice(index + 1).flatMap(listAddedActions)];
}

/** Null for what is no plan. */
function readPlannedActions(entry: PlanEntry): readonly WrittenAction[] | null {
  if (entry.type !== 'plan' && entry.type !== 'revision') return null;
  const plan = entry.type === 'plan' ? entry.plan : entry.updated_plan;
  return plan?.action_plan?.actions ?? plan?.actions ?? null;
}

function listAddedActions(entry: PlanEntry): readonly WrittenAction[] {
  return entry.type === 'verification' ? (entry.verification_result.additional_actions ?? []) : [];
}

/** Counts the actions that are done, where a run tells of each; else up to the furthest one that it reflected on. */
function countExecuted(
  entries: readonly PlanEntry[],
  {
    actions,
    outcomes,
  }: { readonly actions: readonly WrittenAction[]; readonly outcomes: readonly ActionRecord[] },
): number {
  if (entries.some(({ type }) => type === 'action')) {
    const done = new Set([
      ...outcomes.filter(({ state }) => state === 'succeeded').map(({ taskId }) => taskId),
      ...ofType(entries, 'plan').flatMap(({ done_task_ids: ids }) => ids),
    ]);
    return actions.filter(({ task_id: id }) => id != null && done.has(id)).length;
  }
  // A run verifies when all its actions are done.
  if (entries.some(({ type }) => type === 'verification')) return actions.length;
  return 1 + actions.findLastIndex(({ task_id: id }) => outcomes.some(({ taskId }) => taskId === id));
}

/** End of an action, as it happened. */
interface Outcome {
  readonly taskId: string;
  readonly state: ActionRecord['state'];
  /** Why it failed; null where it did not, or nobody knows. */
  readonly problem: string | null;
  /** Its place among the entries. */
  readonly index: number;
}

/** Actions that were carried out, by their task, in the order in which each was first. */
function listActions(entries: readonly PlanEntry[]): readonly ActionRecord[] {
  const outcomes = listOutcomes(entries);
  const known = entries.flatMap((entry) => readPlannedActions(entry) ?? listAddedActions(entry));
  return [...Map.groupBy(outcomes, ({ taskId }) => taskId)].map(([taskId, all]) => {
    const action = known.findLast(({ task_id: id }) => id === taskId);
    const failed = all.findLast(({ state }) => state === 'failed');
    const state = all.at(-1)?.state ?? 'unknown';
    return {
      taskId: toItem(taskId),
      tool: toItem(action?.tool),
      purpose: toItem(action?.purpose),
      state,
      attempts: all.length,
      problem: failed === undefined ? null : toItem(findRootCause(entries, taskId) ?? failed.problem),
      remedy: failed === undefined ? null : findRemedy(entries, { failed, action, state }),
    };
  });
}

/** A run that tells of each action is believed; of one that does not, the reflections say how it went. */
function listOutcomes(entries: readonly PlanEntry[]): readonly Outcome[] {
  const told = entries.flatMap((entry, index) => (entry.type === 'action' ? toOutcome(entry, index) : []));
  if (told.length > 0) return told;
  return entries.flatMap((entry, index) => {
    if (entry.type !== 'reflection') return [];
    const { reflection } = entry.evaluation;
    return { taskId: nameOf(reflection) ?? `#${index}`, ...judge(reflection), index };
  });
}

function toOutcome(
  { task_id: taskId, state, detail }: PlanEntryOf<'action'>,
  index: number,
): readonly Outcome[] {
  if (state === 'succeeded') return [{ taskId, state, problem: null, index }];
  return state === 'failed' ? [{ taskId, state, problem: detail ?? null, index }] : [];
}

function nameOf({ action_evaluated, action_id }: Reflection): string | null {
  return action_evaluated ?? action_id ?? null;
}

function judge({ status, root_cause, evaluation }: Reflection): Pick<Outcome, 'state' | 'problem'> {
  if (status === 'failure') return { state: 'failed', problem: root_cause ?? evaluation ?? null };
  return { state: status === 'success' ? 'succeeded' : 'unknown', problem: null };
}

function findRootCause(entries: readonly PlanEntry[], taskId: string): string | null {
  const found = ofType(entries, 'reflection').map(({ evaluation }) => evaluation.reflection);
  return found.findLast((one) => nameOf(one) === taskId && one.root_cause != null)?.root_cause ?? null;
}

/** Finds what helped, or was to help, after a failure: the revision that followed it, or the fallback of an action that then went well. */
function findRemedy(
  entries: readonly PlanEntry[],
  {
    failed,
    action,
    state,
  }: {
    readonly failed: Outcome;
    readonly action: WrittenAction | undefined;
    readonly state: ActionRecord['state'];
  },
): string | null {
  const revision = ofType(entries.slice(failed.index), 'revision')[0];
  const changes = (revision?.changes ?? []).filter((change) => change !== '');
  if (revision !== undefined) return toItem(changes.length > 0 ? changes.join('; ') : revision.reason);
  return state === 'succeeded' ? toItem(action?.fallback_strategy) || null : null;
}

function sumUpVerification(entries: readonly PlanEntry[]): VerificationHistory | null {
  const rounds = ofType(entries, 'verification').map((entry) => entry.verification_result);
  const last = rounds.at(-1);
  if (last === undefined) return null;
  const open = new Set(last.issues_found);
  const earlier = rounds.slice(0, -1).flatMap(({ issues_found }) => issues_found);
  return {
    rounds: rounds.length,
    passed: last.verification_passed ?? null,
    issues: toItems(rounds.flatMap(({ issues_found }) => issues_found)),
    resolved: toItems(earlier.filter((issue) => !open.has(issue))),
    placeholders: toItems(rounds.flatMap((round) => round.placeholder_detected?.locations ?? [])),
    additionalWork: toItems(
      rounds
        .flatMap((round) => round.additional_actions ?? [])
        .map(({ purpose, task_id: id }) => purpose ?? id),
    ),
    confidence: last.completion_confidence ?? null,
  };
}

/**
 * Adds up what the runs of a thread verified: an issue that a later one no longer finds is resolved. Null where none of
 * them verified. @see seed 002 §13.6.2
 *
 * @param records newest first
 */
export function addUpVerifications(records: readonly PlanRecord[]): VerificationHistory | null {
  const found = records.flatMap(({ verification }) => verification ?? []).toReversed();
  const last = found.at(-1);
  if (last === undefined) return null;
  const gone = new Set(last.resolved);
  const open = new Set(last.issues.filter((issue) => !gone.has(issue)));
  const issues = found.flatMap((one) => one.issues);
  return {
    rounds: found.reduce((sum, { rounds }) => sum + rounds, 0),
    passed: last.passed,
    issues: toItems(issues),
    resolved: toItems(issues.filter((issue) => !open.has(issue))),
    placeholders: toItems(found.flatMap(({ placeholders }) => placeholders)),
    additionalWork: toItems(found.flatMap(({ additionalWork }) => additionalWork)),
    confidence: last.confidence,
  };
}

function listLearnings(entries: readonly PlanEntry[]): readonly string[] {
  const found = ofType(entries, 'reflection').map(({ evaluation }) => evaluation.reflection);
  return toItems(found.flatMap(({ root_cause, issues_identified }) => [root_cause, ...issues_identified]));
}

function toItems(texts: readonly (string | null | undefined)[]): readonly string[] {
  return [...new Set(texts.map(toItem))].filter((item) => item !== '').slice(-mostItems);
}

function toItem(text: string | null | undefined): string {
  const line = (text ?? '').replace(/\s+/g, ' ').trim();
  return line.length <= maxItemChars
    ? line
    : `${line.slice(0, maxItemChars).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

const millisecondsPerDay = 86_400_000;

/** Facts that decide whether an earlier plan is used. */
export interface PlanUseFacts {
  readonly now: Date;
  /** Days since the end of the plan's run, this many included. */
  readonly expiryDays: number;
  /** Fingerprint of the present request; null when unknown. */
  readonly presentRequest: string | null;
}

/**
 * Decides whether an earlier plan may be continued or only referred to. Only a plan that was stopped halfway, for the very
 * same request, is continued. @see seed 002 §13.3, decision C14
 *
 * @example
 * const facts = { now: new Date(), expiryDays: 7, presentRequest: sha256 };
 * if (decidePlanUse(record, facts) === 'continue') plan = record.plan;
 */
export function decidePlanUse(record: PlanRecord, facts: PlanUseFacts): 'continue' | 'refer' {
  const { plan, status, completedAt } = record;
  if (plan === null || status !== 'stopped') return 'refer';
  const isUnfinished = plan.executedCount < plan.actionCount;
  const age = facts.now.getTime() - Date.parse(completedAt);
  const isFresh = age <= facts.expiryDays * millisecondsPerDay;
  const isSameRequest = plan.requestSha256 !== null && plan.requestSha256 === facts.presentRequest;
  return isUnfinished && isFresh && isSameRequest ? 'continue' : 'refer';
}
