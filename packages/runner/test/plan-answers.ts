import type { MemoryRunJournal } from '../src/index.ts';
import type { PlanningFact, ReflectionAnswer, ReplanDecision } from '../src/planning/model.ts';
import { actionAnswer, createPlanner, type findRequest, type PlannerScript, planOf } from './plan-setup.ts';
import { replanDecision, verificationAnswer } from './plans.ts';
import type { ScriptedAnswer } from './scripted-model.ts';

type Request = ReturnType<typeof findRequest>;

/** Calls `work` with what the request of the action says, then answers that it is done. */
export function doAction({ task, text, after }: Request): ScriptedAnswer {
  if (after.some(({ role }) => role === 'tool')) return actionAnswer(task ?? '');
  const [input = '{}'] = /\{"text":"[^"]*"\}/.exec(text) ?? [];
  return [{ id: `call-${task}`, tool: 'work', input: JSON.parse(input) }];
}

/** A model that plans these texts, one action each, does what any plan says, and is content with everything. */
export function createContentPlanner(texts: readonly string[], script: PlannerScript = {}) {
  return createPlanner(planOf(...texts), {
    execution: doAction,
    reflection: () => reflectionText(),
    verification: () => JSON.stringify(verificationAnswer()),
    ...script,
  });
}

interface ReflectionParts {
  readonly reflection?: Partial<ReflectionAnswer['reflection']>;
  readonly plan_revision?: unknown;
  readonly replan_decision?: unknown;
  readonly reply?: string;
}

/** A reflection as a model writes it; content, unless something else is said. */
export function reflectionText({ reflection, ...parts }: ReflectionParts = {}): string {
  const said = {
    action_evaluated: null,
    status: 'success',
    evaluation: 'well done',
    issues_identified: [],
    root_cause: null,
    plan_revision_needed: false,
    reasoning: 'it fits',
    ...reflection,
  };
  return JSON.stringify({ phase: 'reflection', reflection: said, plan_revision: null, ...parts });
}

/** A reflection that wants other actions: one of `work` for each id, which it is called with. */
export function wantingRevision(...ids: readonly string[]): string {
  const reflection = { plan_revision_needed: true, reasoning: 'it leads nowhere' };
  return reflectionText({ reflection, plan_revision: revisionOf(...ids) });
}

/** A revision with one action of `work` for each id, which it is called with. */
export function revisionOf(...ids: readonly string[]) {
  const { actions } = planOf(...ids).action_plan;
  return {
    reason: 'another way',
    changes: [{ type: 'modify_action', details: 'all' }],
    updated_action_plan: {
      execution_order: ids,
      actions: actions.map((action, index) => ({ ...action, task_id: ids[index] })),
    },
    updated_subtasks: [],
  };
}

/** The answer to a failed action: a reflection with this decision. */
export function decidingTo(decision: Partial<ReplanDecision>, parts: ReflectionParts = {}): string {
  const reflection = { status: 'failure', ...parts.reflection } as const;
  return reflectionText({ ...parts, reflection, replan_decision: replanDecision(decision) });
}

/** Facts of a journal, in their order. */
export function listFacts(journal: MemoryRunJournal): readonly PlanningFact[] {
  return journal.entries.flatMap((entry) =>
    entry.type === 'fact' && 'data' in entry ? [entry.data as PlanningFact] : [],
  );
}

/** Facts of one type. */
export function factsOf<Type extends PlanningFact['type']>(
  journal: MemoryRunJournal,
  type: Type,
): readonly Extract<PlanningFact, { type: Type }>[] {
  return listFacts(journal).filter((fact) => fact.type === type) as Extract<PlanningFact, { type: Type }>[];
}
