import {
  countProgress,
  formatChecklist,
  formatLoopModeNotice,
  formatPlanHistory,
  formatReplanNotice,
  formatVerificationNotice,
  type PlanningFact,
  type PlanningState,
  type PlanWriting,
} from '@agent/runner/planning';
import { createToLine, firstSentence, formatTime, type Locale } from '@agent/text';
import type { Redact } from '@agent/text/outgoing';
import type { en } from './texts.en.ts';

type Text = typeof en;

/** Settings of how a plan is told. */
export interface PlanTelling {
  readonly locale: Locale;
  /** Takes secrets out of what models and people said. */
  readonly redactOutgoing: Redact;
  /** Zone of all times: an IANA name. */
  readonly timeZone: string;
}

interface PlanWords extends PlanTelling {
  readonly text: Text;
  /** True for a run that works again though its question or plan is still recorded as open. */
  readonly isAtWork?: boolean | null | undefined;
}

/** Formats what a run that plans is at now; null before its plan is begun. */
export function formatPlanNow(plan: PlanningState, { text, timeZone, isAtWork }: PlanWords): string | null {
  const { question, approval, loopMode, facts, phase } = plan;
  if (facts.length === 0) return null;
  if (question !== null && isAtWork !== true) {
    const { until } = question;
    return text.waitsForAnswer(until === null ? null : formatTime(new Date(until), timeZone));
  }
  if (approval?.state === 'asked' && isAtWork !== true) return text.waitsForApproval;
  if (loopMode !== null) return text.working;
  const { done, total } = countProgress(plan);
  return `${text.phase(phase)}${phase === 'execution' ? text.of(done, total) : ''}`;
}

/** Formats the plan of a run: its checklist with what was revised, decisions about it, and what verification found. */
export function formatPlanSections(plan: PlanningState, words: PlanWords): readonly string[] {
  const { locale, redactOutgoing } = words;
  const writing: PlanWriting = { locale, redactOutgoing };
  // Folded parts stand last: they are left out first where there is no room.
  return [
    ...listOf(plan, 'loop_mode').map((fact) => formatLoopModeNotice(fact, writing)),
    formatChecklist(plan, writing),
    formatFailures(plan, words),
    ...formatVerifications(plan, words),
    formatDecisions(plan, words),
    formatPlanHistory(plan, writing),
  ]
    .filter((section) => section !== '')
    .map(toLowerHeadings);
}

type FactOf<Type extends PlanningFact['type']> = Extract<PlanningFact, { readonly type: Type }>;

function listOf<Type extends PlanningFact['type']>(
  { facts }: PlanningState,
  type: Type,
): readonly FactOf<Type>[] {
  return facts.filter((fact): fact is FactOf<Type> => fact.type === type);
}

/** Failed actions that are told; older ones are left out. */
const maxFailures = 5;

/** Formats what went wrong in actions, also where it was repaired since, and revisions that were not made. */
function formatFailures(plan: PlanningState, { text, redactOutgoing }: PlanWords): string {
  const toLine = createToLine(redactOutgoing, { maxChars: 300 });
  const lines = plan.facts.flatMap((fact) => {
    if (fact.type === 'action' && fact.state === 'failed')
      return [text.failedAction(toLine(fact.task_id), fact.attempt, toLine(firstSentence(fact.detail)))];
    return fact.type === 'revision_dropped'
      ? [`- ${text.droppedRevision(toLine(fact.reasons.join('; ')))}`]
      : [];
  });
  return lines.length === 0 ? '' : `${text.setbacks}\n\n${lines.slice(-maxFailures).join('\n')}`;
}

/** The last round as it is, those before it folded. */
function formatVerifications(plan: PlanningState, words: PlanWords): readonly string[] {
  const { locale, redactOutgoing, text } = words;
  const rounds = listOf(plan, 'verification').map((fact) =>
    formatVerificationNotice(fact, { locale, redactOutgoing }),
  );
  const last = rounds.pop();
  if (last === undefined) return [];
  return [last, ...(rounds.length === 0 ? [] : [fold(text.earlierRounds, rounds.reverse())])];
}

/** Decisions that are told; older ones are left out. */
const maxDecisions = 5;

function formatDecisions(plan: PlanningState, { locale, redactOutgoing, text }: PlanWords): string {
  const decisions = listOf(plan, 'replan_decision')
    .filter(({ llm_decision: decision }) => decision.replan_needed)
    .map((fact) => formatReplanNotice(fact, { locale, redactOutgoing, at: null }));
  return decisions.length === 0 ? '' : fold(text.decisions, decisions.slice(-maxDecisions).reverse());
}

function fold(summary: string, parts: readonly string[]): string {
  return `<details>\n<summary>${summary}</summary>\n\n${parts.join('\n\n')}\n\n</details>`;
}

/** A comment of its own has headings one level higher. */
function toLowerHeadings(section: string): string {
  return section.replace(/^(#{2,3}) /gm, '#$1 ');
}
