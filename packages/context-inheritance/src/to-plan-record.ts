import { z } from 'zod';
import type { PlanRecord } from './model.ts';

const mostItems = 10;
const maxItemChars = 300;

/** Parts of planning histories that are inherited. @see seed 002 §13.9 */
export interface PlanningRules {
  readonly inheritPlans: boolean;
  readonly inheritVerifications: boolean;
  readonly inheritReflections: boolean;
  readonly reuseSuccessfulPatterns: boolean;
}

type EntryOf<Type extends PlanEntry['type']> = Extract<PlanEntry, { readonly type: Type }>;
type Reflection = EntryOf<'reflection'>['evaluation']['reflection'];
type Action = NonNullable<NonNullable<WrittenPlan['action_plan']>['actions']>[number];

/** Sums up the planning history of one run; null when nothing of it is to be inherited. @see seed 002 §13.2 */
export function toPlanRecord(
  entries: readonly PlanEntry[],
  {
    run,
    rules,
  }: { readonly run: Pick<PlanRecord, 'runUuid' | 'status' | 'completedAt'>; readonly rules: PlanningRules },
): PlanRecord | null {
  const reflections = latestReflections(entries);
  const actions = findActions(entries);
  const plan = rules.inheritPlans ? sumUpPlan(entries, { actions, reflections }) : null;
  const verification = rules.inheritVerifications ? sumUpVerification(entries) : null;
  const learnings = rules.inheritReflections ? listLearnings(entries) : [];
  if (plan === null && verification === null && learnings.length === 0) return null;
  const execution = sumUpExecution(reflections, { actions, reusesPatterns: rules.reuseSuccessfulPatterns });
  const nothing = { succeeded: 0, failed: 0, failures: [], successes: [] };
  return { ...run, plan, execution: rules.inheritPlans ? execution : nothing, verification, learnings };
}

function ofType<Type extends PlanEntry['type']>(entries: readonly PlanEntry[], type: Type): EntryOf<Type>[] {
  return entries.filter((entry): entry is EntryOf<Type> => entry.type === type);
}

function sumUpPlan(
  entries: readonly PlanEntry[],
  {
    actions,
    reflections,
  }: { readonly actions: readonly Action[]; readonly reflections: ReflectionsByAction },
): PlanRecord['plan'] {
  const plan = ofType(entries, 'plan').at(-1)?.plan;
  if (plan === undefined) return null;
  const subtasks = plan.task_decomposition?.subtasks ?? [];
  return {
    goal: toItem(plan.goal_understanding?.main_objective),
    subtasks: toItems(subtasks.map(({ id, description }) => [id, description].filter(Boolean).join(': '))),
    actionCount: actions.length,
    // A run verifies when all its actions are done; before that, the furthest action it reflected on is known.
    executedCount: entries.some(({ type }) => type === 'verification')
      ? actions.length
      : countExecuted(actions, reflections),
    revisionReasons: toItems(ofType(entries, 'revision').map(({ reason }) => reason)),
    replanReasons: toItems(ofType(entries, 'replan_decision').map((entry) => entry.llm_decision.reasoning)),
  };
}

/** Actions of the latest plan, or of the revision that replaced it. */
function findActions(entries: readonly PlanEntry[]): readonly Action[] {
  const plans = entries.map((entry) => {
    if (entry.type === 'plan') return entry.plan;
    return entry.type === 'revision' ? (entry.updated_plan ?? null) : null;
  });
  const latest = plans.findLast((plan) => (plan?.action_plan?.actions ?? plan?.actions) != null);
  return latest?.action_plan?.actions ?? latest?.actions ?? [];
}

type ReflectionsByAction = ReadonlyMap<string, Reflection>;

function latestReflections(entries: readonly PlanEntry[]): ReflectionsByAction {
  const found = ofType(entries, 'reflection').map(({ evaluation }) => evaluation.reflection);
  return new Map(found.map((reflection, index) => [nameOf(reflection) ?? `#${index}`, reflection]));
}

function nameOf({ action_evaluated, action_id }: Reflection): string | null {
  return action_evaluated ?? action_id ?? null;
}

function countExecuted(actions: readonly Action[], reflections: ReflectionsByAction): number {
  return 1 + actions.findLastIndex(({ task_id }) => task_id != null && reflections.has(task_id));
}

function sumUpExecution(
  reflections: ReflectionsByAction,
  { actions, reusesPatterns }: { readonly actions: readonly Action[]; readonly reusesPatterns: boolean },
): PlanRecord['execution'] {
  const named = [...reflections].map(([name, reflection]) => ({ name, reflection }));
  const failed = named.filter(({ reflection }) => reflection.status === 'failure');
  const succeeded = named.filter(({ reflection }) => reflection.status === 'success');
  const describe = (name: string) => {
    const action = actions.find(({ task_id }) => task_id === name);
    return [action?.tool, action?.purpose].filter(Boolean).join(': ');
  };
  return {
    succeeded: succeeded.length,
    failed: failed.length,
    failures: toItems(
      failed.map(
        ({ name, reflection }) => `${name}: ${reflection.root_cause ?? reflection.evaluation ?? ''}`,
      ),
    ),
    successes: reusesPatterns ? toItems(succeeded.map(({ name }) => describe(name))) : [],
  };
}

function sumUpVerification(entries: readonly PlanEntry[]): PlanRecord['verification'] {
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

const text = z.string().nullish();
const texts = z
  .array(z.unknown())
  .nullish()
  .transform((values) => (values ?? []).filter((value) => typeof value === 'string'));

const actionsSchema = z.object({
  actions: z.array(z.object({ task_id: text, tool: text, purpose: text })).nullish(),
});

const planSchema = z.object({
  goal_understanding: z.object({ main_objective: text }).nullish(),
  task_decomposition: z
    .object({ subtasks: z.array(z.object({ id: text, description: text })).nullish() })
    .nullish(),
  action_plan: actionsSchema.nullish(),
  actions: actionsSchema.shape.actions,
});

const reflectionSchema = z.object({
  reflection: z.object({
    action_evaluated: text,
    action_id: text,
    status: text,
    evaluation: text,
    issues_identified: texts,
    root_cause: text,
  }),
});

const replanSchema = z.object({ reasoning: text });

const entrySchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('plan'), plan: planSchema }),
  z.object({ type: z.literal('revision'), reason: text, updated_plan: planSchema.nullish() }),
  z.object({ type: z.literal('reflection'), evaluation: reflectionSchema }),
  z.object({
    type: z.literal('verification'),
    verification_result: z.object({ verification_passed: z.boolean().nullish(), issues_found: texts }),
  }),
  z.object({
    type: z.literal('replan_decision'),
    // The earlier program stored the model's whole answer, with the decision nested in it.
    llm_decision: z.union([
      z.object({ replan_decision: replanSchema }).transform((answer) => answer.replan_decision),
      replanSchema,
    ]),
  }),
]);

/** A line of `planning/{uuid}.jsonl`, as far as inheriting needs it. */
type PlanEntry = z.infer<typeof entrySchema>;

/** A plan as the model wrote it. */
type WrittenPlan = z.infer<typeof planSchema>;

/** Reads the lines of a planning history; what is damaged or of another kind is left out and counted. */
export function parsePlanEntries(lines: readonly string[]): {
  readonly entries: readonly PlanEntry[];
  readonly skippedLines: number;
} {
  const entries = lines.map(parseLine).filter((entry) => entry !== null);
  return { entries, skippedLines: lines.length - entries.length };
}

function parseLine(line: string): PlanEntry | null {
  try {
    return entrySchema.parse(JSON.parse(line));
  } catch {
    return null;
  }
}

const millisecondsPerDay = 86_400_000;

/** Facts that decide whether an earlier plan is used. */
export interface PlanUseFacts {
  readonly now: Date;
  /** Days since the end of the plan's run, this many included. */
  readonly expiryDays: number;
  /** Fingerprint of the request that the plan was made for, and of the present one; null when unknown. */
  readonly plannedRequest: string | null;
  readonly presentRequest: string | null;
}

/**
 * Decides whether an earlier plan may be continued or only referred to. Only a plan that was stopped halfway, for the very
 * same request, is continued. @see seed 002 §13.3, decision C14
 *
 * @example
 * const facts = { now: new Date(), expiryDays: 7, plannedRequest: sha256, presentRequest: sha256 };
 * if (decidePlanUse(record, facts) === 'continue') plan = record.plan;
 */
export function decidePlanUse(record: PlanRecord, facts: PlanUseFacts): 'continue' | 'refer' {
  const { plan, status, completedAt } = record;
  const isUnfinished = plan !== null && plan.executedCount < plan.actionCount;
  const age = facts.now.getTime() - Date.parse(completedAt);
  const isFresh = age <= facts.expiryDays * millisecondsPerDay;
  const isSameRequest = facts.plannedRequest !== null && facts.plannedRequest === facts.presentRequest;
  return status === 'stopped' && isUnfinished && isFresh && isSameRequest ? 'continue' : 'refer';
}
