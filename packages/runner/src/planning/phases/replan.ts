import type { RunEnding } from '../../ending.ts';
import { readReflection } from '../answers/reflection.ts';
import { readReplanDecision } from '../answers/replan.ts';
import type { Reading } from '../exchange.ts';
import type { PlanningFact, ReplanDecision } from '../model.ts';
import type { PlannedRun } from '../planned-run.ts';
import type { PlanningState } from '../planning-state.ts';
import { canAsk, sinceAction, toQuestion, toUnansweredNotes } from '../question.ts';
import { countReplan, judgeReplan } from '../replan-limits.ts';
import { formatUnreadRequest } from '../request-parts.ts';
import { askForReflection, type ReflectionReply, toReflectionFact } from './reflect.ts';

type DecisionFact = Extract<PlanningFact, { type: 'replan_decision' }>;

/** Has it decided what becomes of an action that failed, with its fallback too: reflection and decision in one answer. */
export function replan(planned: PlannedRun): Promise<RunEnding | null> {
  const toSubject = () => ({ trigger: 'error', notes: toNotes(planned.log.state) }) as const;
  return askForReflection(planned, { asksReplan: true, toSubject, read: readAnswer });
}

function readAnswer(planned: PlannedRun, { answer, isLast }: ReflectionReply): Reading {
  const { state } = planned.log;
  const reflection = readReflection(answer);
  const decision = readReplanDecision(answer);
  if (reflection.kind === 'bad' && decision.kind === 'bad' && !isLast) {
    return { kind: 'again', text: formatUnreadRequest(reflection.reasons) };
  }
  const reflected: readonly PlanningFact[] =
    reflection.kind === 'ok'
      ? [toReflectionFact(planned, { evaluation: reflection.value, trigger: 'error' })]
      : [];
  const decided =
    decision.kind === 'ok'
      ? decide(planned, decision.value)
      : [toNoDecision(state, 'the decision could not be read')];
  return { kind: 'facts', facts: [...reflected, ...decided] };
}

/** Facts that a decision leads to. A question stands before its decision, so that no crash loses it. */
function decide(planned: PlannedRun, decision: ReplanDecision): readonly PlanningFact[] {
  const { log, settings } = planned;
  const { replanCounts: counts } = log.state;
  const isAnswered = sinceAction(log.state).some(
    (fact) => fact.type === 'answered' && fact.how === 'comment',
  );
  const verdict = judgeReplan(decision, { counts, settings: settings.replanning, isAnswered });
  switch (verdict.kind) {
    case 'none':
      return [toFact(log.state, { decision, next: 'none' })];
    case 'ignore':
      return [toFact(log.state, { decision, next: 'none', overrideReason: verdict.overrideReason })];
    case 'execute':
      return [toFact(log.state, { decision, next: decision.replan_type === 'retry' ? 'retry' : 'revise' })];
    case 'ask':
      return ask(planned, { decision, overrideReason: verdict.overrideReason });
    case 'limit':
      return escalate(planned, { decision, overrideReason: verdict.overrideReason });
  }
}

interface Overridden {
  readonly decision: ReplanDecision;
  readonly overrideReason: string | null;
}

function ask(planned: PlannedRun, { decision, overrideReason }: Overridden): readonly PlanningFact[] {
  const { state } = planned.log;
  if (!canAsk(planned)) return escalate(planned, { decision, overrideReason: 'no one can be asked' });
  return [
    toQuestion(planned, { questions: toQuestions(decision), assumptions: decision.assumptions_to_make }),
    toFact(state, { decision, next: 'reconsider', overrideReason }),
  ];
}

/** Tells the model once what may not be done, then asks people; then it stays undone. */
function escalate(planned: PlannedRun, { decision, overrideReason }: Overridden): readonly PlanningFact[] {
  const { state } = planned.log;
  const told = sinceAction(state).filter(
    (fact) => fact.type === 'replan_decision' && fact.next === 'reconsider',
  ).length;
  const again = toFact(state, { decision, next: 'reconsider', overrideReason });
  if (told === 0) return [again];
  if (told > 1 || !canAsk(planned)) return [toFact(state, { decision, next: 'none', overrideReason })];
  const questions = toQuestions(decision);
  return [toQuestion(planned, { questions, assumptions: decision.assumptions_to_make }), again];
}

function toFact(
  { replanCounts }: PlanningState,
  {
    decision,
    next,
    overrideReason = null,
  }: {
    readonly decision: ReplanDecision;
    readonly next: DecisionFact['next'];
    readonly overrideReason?: string | null;
  },
): DecisionFact {
  const executed =
    next === 'retry' || next === 'revise' || (next === 'reconsider' && overrideReason === null);
  return {
    type: 'replan_decision',
    phase: decision.target_phase,
    llm_decision: decision,
    confidence: decision.confidence,
    executed,
    override_reason: overrideReason,
    replan_counts: executed ? countReplan(replanCounts, decision) : replanCounts,
    next,
  };
}

/** "No", where the model was not asked or could not be understood. */
function toNoDecision(state: PlanningState, overrideReason: string): DecisionFact {
  const decision: ReplanDecision = {
    replan_needed: false,
    confidence: 0,
    reasoning: '',
    replan_type: 'none',
    target_phase: 'execution',
    replan_level: 1,
    issues_found: [],
    recommended_actions: [],
    clarification_needed: false,
    clarification_questions: [],
    assumptions_to_make: [],
  };
  return toFact(state, { decision, next: 'none', overrideReason });
}

/** Questions in the model's words; what it found, where it wrote none. */
function toQuestions({
  clarification_questions: questions,
  issues_found: issues,
  reasoning,
}: ReplanDecision): readonly string[] {
  if (questions.length > 0) return questions;
  return [[reasoning, ...issues].filter((text) => text !== '').join('\n')];
}

function toNotes(state: PlanningState): readonly string[] {
  const failed = [...state.tasks].filter(([, task]) => task.state === 'failed' && !task.isSettled);
  const last = sinceAction(state).findLast((fact) => fact.type === 'replan_decision');
  return [
    ...failed.map(
      ([id, { attempts }]) => `${id} failed ${attempts} times; what its calls led to stands above.`,
    ),
    ...(last?.override_reason
      ? [
          `Your last decision (${last.llm_decision.replan_type}) was not applied: ${last.override_reason}. Decide on another way, or on none.`,
        ]
      : []),
    ...toUnansweredNotes(state),
  ];
}
