import type { RunEnding } from '../../ending.ts';
import { readPlan } from '../answers/plan.ts';
import { readRevision } from '../answers/reflection.ts';
import { appendActions, applyRevision } from '../apply-revision.ts';
import { checkPlan } from '../check-plan.ts';
import { exchange, type Reading } from '../exchange.ts';
import { findInvalidated } from '../invalidate.ts';
import type { Plan, PlanningFact, PlanRevision, RevisionCause } from '../model.ts';
import { mayReconsider } from '../next-phase.ts';
import { type PlannedRun, passPoint, record } from '../planned-run.ts';
import {
  findPendingReplan,
  hashPlan,
  isPlannedAnew,
  listDone,
  type PlanningState,
} from '../planning-state.ts';
import { formatActions, quoteText } from '../prompts/parts.ts';
import { formatBadPlanRequest, formatPlanRequest } from '../prompts/plan.ts';
import { formatBadRevisionRequest, formatRevisionRequest } from '../prompts/reflection.ts';
import { canAsk, toQuestion, toUnansweredNotes } from '../question.ts';
import { toPlanRules, toToldActions } from '../request-parts.ts';
import { maxAnswers } from './reflect.ts';

/** Revision that is wanted: of which plan, and why. */
interface Wish {
  readonly plan: Plan;
  readonly cause: RevisionCause;
  /** In a sentence. */
  readonly reason: string;
}

/** Plan as a wish would have it. */
interface Revised extends Pick<PlanRevision, 'reason' | 'changes'> {
  readonly plan: Plan;
}

/** Changes the plan as it is wanted: by what the model wrote already, by code, or by another request. */
export async function revise(planned: PlannedRun): Promise<RunEnding | null> {
  const { state } = planned.log;
  const { plan, pendingRevision: cause } = state;
  if (plan === null || cause === null) return null;
  const limit = findLimit(planned, cause);
  if (limit !== null) {
    planned.run.settings.logger?.warn({ cause, limit }, 'skipped plan revision: limit reached');
    await record(planned, [{ type: 'revision_dropped', cause, reasons: [limit] }]);
    return null;
  }
  const wish = { plan, cause, reason: toReason(state, cause) };
  if (cause === 'verification') return make(planned, { wish, revised: extend(state, plan) });
  const isAnew = isPlannedAnew(state);
  const proposal = isAnew ? null : findProposal(state);
  const proposed = proposal === null ? null : check(planned, { wish, revision: proposal });
  if (proposed?.kind === 'ok') return make(planned, { wish, revised: proposed });
  return isAnew ? planAnew(planned, wish) : askForRevision(planned, wish);
}

function findLimit({ log, settings }: PlannedRun, cause: RevisionCause): string | null {
  const { rounds, facts } = log.state;
  const { max_rounds: maxRounds } = settings.verification;
  const { max_revisions: maxRevisions } = settings.revision;
  if (cause === 'verification' && rounds >= maxRounds) {
    return `verification.max_rounds (${maxRounds}) is reached`;
  }
  // What people want counts toward no limit of the model; replanning has limits of its own.
  const made = facts.filter((fact) => fact.type === 'revision' && fact.cause === 'reflection').length;
  return cause === 'reflection' && made >= maxRevisions
    ? `revision.max_revisions (${maxRevisions}) is reached`
    : null;
}

/** Revision in the last reflection, unless something happened since that it does not know of. */
function findProposal({ facts }: PlanningState): PlanRevision | null {
  const fact = facts.findLast(({ type }) => type !== 'phase' && type !== 'replan_decision');
  return fact?.type === 'reflection' ? fact.evaluation.plan_revision : null;
}

function extend({ verifications }: PlanningState, plan: Plan): Revised {
  const { additional_actions: additional = [], issues_found: issues = [] } = verifications.at(-1) ?? {};
  return {
    plan: appendActions(plan, additional),
    reason: issues.join('\n'),
    changes: additional.map(({ purpose }) => ({ type: 'add_action', details: purpose })),
  };
}

/** Passes the checkpoint, and revises unless what was said there asks for something else. */
async function make(
  planned: PlannedRun,
  { wish, revised }: { readonly wish: Wish; readonly revised: Revised },
): Promise<RunEnding | null> {
  const before = planned.log.state;
  const { ending, isDelivered } = await passPoint(planned, 'before_revision');
  if (ending !== null) return ending;
  if (planned.log.state !== before || (isDelivered && mayReconsider(before, planned.settings))) return null;
  await record(planned, [
    ...(before.phase === 'revision' ? [] : [revisionPhase]),
    toFact(before, { wish, revised }),
  ]);
  return null;
}

const revisionPhase = { type: 'phase', phase: 'revision' } as const;

function toFact(
  { revisions }: PlanningState,
  { wish, revised }: { readonly wish: Wish; readonly revised: Revised },
): PlanningFact {
  return {
    type: 'revision',
    number: revisions + 1,
    reason: revised.reason === '' ? wish.reason : revised.reason,
    changes: revised.changes,
    updated_plan: revised.plan,
    plan_hash: hashPlan(revised.plan),
    cause: wish.cause,
  };
}

function askForRevision(planned: PlannedRun, wish: Wish): Promise<RunEnding | null> {
  const { max_subtasks: maxSubtasks } = planned.settings;
  return exchange(planned, {
    phase: 'revision',
    checkpoint: 'before_revision',
    tools: 'reading',
    write: () =>
      formatRevisionRequest({
        reason: quoteReason(wish),
        actions: toToldActions(planned.log.state),
        maxSubtasks,
        notes: toNotes(planned.log.state, listRejected(planned.log.state)),
        language: planned.manner.language,
      }),
    read: (answer, { answers }) => {
      const reading = readRevision(answer);
      const result = reading.kind === 'ok' ? check(planned, { wish, revision: reading.value }) : reading;
      if (result.kind === 'ok') return toReading(planned, { wish, revised: result });
      return answers.length < maxAnswers
        ? { kind: 'again', text: formatBadRevisionRequest(result.reasons) }
        : drop(wish, result.reasons);
    },
  });
}

/** Has goal, subtasks and actions written anew; nothing of what was done is checked off in the new plan. */
function planAnew(planned: PlannedRun, wish: Wish): Promise<RunEnding | null> {
  const { log } = planned;
  const rules = toPlanRules(planned);
  const keepsGoal = findPendingReplan(log.state)?.replan_type !== 'goal_revision';
  return exchange(planned, {
    phase: 'revision',
    checkpoint: 'before_revision',
    tools: 'reading',
    write: () =>
      formatPlanRequest({
        maxSubtasks: rules.maxSubtasks,
        mayAsk: canAsk(planned),
        notes: [
          quoteReason(wish),
          ...(keepsGoal ? ['The goal stays as it is.'] : []),
          `The plan so far, of which nothing stays checked:\n${formatActions(toToldActions(log.state))}`,
          ...toNotes(log.state, listRejected(log.state)),
          ...toUnansweredNotes(log.state),
        ],
        language: planned.manner.language,
      }),
    read: (answer, { answers }) => {
      const reading = readPlan(answer, rules);
      if (reading.kind === 'ok') {
        const goal = keepsGoal ? wish.plan.goal_understanding : reading.value.goal_understanding;
        const plan = { ...reading.value, goal_understanding: goal };
        return toReading(planned, { wish, revised: { plan, reason: wish.reason, changes: [] } });
      }
      if (reading.kind === 'unclear-goal' && canAsk(planned)) {
        const { questions } = reading;
        return { kind: 'facts', facts: [toQuestion(planned, { questions, assumptions: [] })] };
      }
      const reasons =
        reading.kind === 'bad' ? reading.reasons : ['No one can be asked: assume what is most likely.'];
      return answers.length < maxAnswers
        ? { kind: 'again', text: formatBadPlanRequest(reasons) }
        : drop(wish, reasons);
    },
  });
}

function toReading({ log }: PlannedRun, made: { readonly wish: Wish; readonly revised: Revised }): Reading {
  return { kind: 'facts', facts: [toFact(log.state, made)] };
}

function drop({ cause }: Wish, reasons: readonly string[]): Reading {
  return { kind: 'facts', facts: [{ type: 'revision_dropped', cause, reasons }] };
}

type CheckedRevision =
  | ({ readonly kind: 'ok' } & Revised)
  | { readonly kind: 'bad'; readonly reasons: readonly string[] };

function check(
  planned: PlannedRun,
  { wish, revision }: { readonly wish: Wish; readonly revision: PlanRevision },
): CheckedRevision {
  const { state } = planned.log;
  const rejected = listRejected(state);
  const applied = applyRevision(wish.plan, revision, { done: listDone(state.tasks), rejected });
  if (applied.kind === 'bad') return applied;
  const reasons = checkPlan(applied.plan, toPlanRules(planned));
  const { reason, changes } = revision;
  return reasons.length > 0 ? { kind: 'bad', reasons } : { kind: 'ok', plan: applied.plan, reason, changes };
}

function listRejected({ facts }: PlanningState): ReadonlySet<string> {
  const invalid = facts.filter((fact) => fact.type === 'action' && fact.state === 'invalidated');
  return new Set(invalid.flatMap((fact) => (fact.type === 'action' ? fact.evidence : [])));
}

/** The reason in a request: what the model said is quoted. */
function quoteReason({ cause, reason }: Wish): string {
  return cause === 'rejection' ? reason : quoteText(reason);
}

function toReason(state: PlanningState, cause: RevisionCause): string {
  if (cause === 'rejection') return `People rejected ${[...listRejected(state)].join(', ')}.`;
  if (cause === 'replan') return findPendingReplan(state)?.reasoning ?? '';
  const last = state.facts.findLast((fact) => fact.type === 'reflection');
  const { reasoning = '', evaluation = '' } = last?.evaluation.reflection ?? {};
  return reasoning === '' ? evaluation : reasoning;
}

function toNotes({ plan, tasks }: PlanningState, rejected: ReadonlySet<string>): readonly string[] {
  if (plan === null || rejected.size === 0) return [];
  const { done } = findInvalidated(plan, { rejected, done: listDone(tasks) });
  if (done.length === 0) return [];
  return [
    `Done already, but based on what was rejected: ${done.join(', ')}. Plan what has to be undone or changed of it.`,
  ];
}
