import {
  countProgress,
  formatPlanToApprove,
  type PlanWriting,
  planTexts,
  type ToldPlan,
  toPlanLine,
} from './format-plan.ts';
import type { PlanningFact } from './model.ts';
import type { PlanningState } from './planning-state.ts';
import type { PeopleQuestion } from './ports.ts';

type FactOf<Type extends PlanningFact['type']> = Extract<PlanningFact, { readonly type: Type }>;

interface TimedWriting extends PlanWriting {
  /** Formatted time; null for none. */
  readonly at: string | null;
}

const maxItems = 20;

/** Confidence below which a decision is posted with a warning. */
const sure = 0.8;

/** Formats the model's decision to plan again. @see referenced specifications, REPLANNING */
export function formatReplanNotice(
  { phase, llm_decision: decision }: Pick<FactOf<'replan_decision'>, 'phase' | 'llm_decision'>,
  options: TimedWriting,
): string {
  const texts = planTexts[options.locale];
  const toLine = toPlanLine(options);
  return join([
    texts.replan,
    [
      texts.phase(phase),
      texts.confidence(Math.round(100 * decision.confidence)),
      texts.reasoning(toLine(decision.reasoning) || texts.none),
    ].join('\n'),
    `${texts.issuesFound}\n${formatList(decision.issues_found, options)}`,
    `${texts.recommendedActions}\n${formatList(decision.recommended_actions, options)}`,
    decision.confidence < sure ? texts.unsure : '',
    options.at === null ? '' : `*${options.at}*`,
  ]);
}

interface QuestionWriting extends PlanWriting {
  /** Formatted deadline for answers; null if there is none. */
  readonly until: string | null;
  /** Subject of the question; default none. */
  readonly context?: string;
}

/** Formats a question to people, with what happens if no one answers. @see referenced specifications, REPLANNING */
export function formatQuestion(
  { questions, assumptions }: Pick<FactOf<'question'>, 'questions' | 'assumptions'>,
  options: QuestionWriting,
): string {
  const texts = planTexts[options.locale];
  const toLine = toPlanLine(options);
  const numbered = questions.slice(0, maxItems).map((question, index) => `${index + 1}. ${toLine(question)}`);
  const taken =
    assumptions.length > 0
      ? `${texts.assumptions}\n${formatList(assumptions, options)}`
      : texts.ownAssumptions;
  const context = toLine(options.context ?? '');
  return join([
    texts.question,
    texts.questionIntroduction,
    `${texts.questions}\n${numbered.join('\n')}`,
    context === '' ? '' : texts.context(context),
    options.until === null ? texts.waits : `${texts.ifNoResponse(options.until)}\n${taken}`,
    texts.reply,
  ]);
}

/** Characters of a plan's hash that people are shown. */
const shownHashChars = 12;

/** Formats the request to approve a plan, which it shows whole; folded parts come last. */
export function formatApprovalQuestion(
  { plan, planHash, version, doneTaskIds }: Extract<PeopleQuestion, { readonly kind: 'approval' }>,
  options: PlanWriting,
): string {
  const texts = planTexts[options.locale];
  const { shown, rest } = formatPlanToApprove({ plan, doneTaskIds }, options);
  return join([
    texts.approval,
    texts.approvalIntroduction,
    texts.checklist,
    texts.goal(toPlanLine(options)(plan.goal_understanding.main_objective)),
    shown,
    texts.approve(planHash.slice(0, shownHashChars), version),
    rest,
  ]);
}

/** Formats the notice that the run continues without a plan; empty if the task needs none. */
export function formatLoopModeNotice(
  { reason, details }: Pick<FactOf<'loop_mode'>, 'reason' | 'details'>,
  options: PlanWriting,
): string {
  if (reason !== 'bad_plan') return '';
  return join([planTexts[options.locale].loopMode, formatList(details, options)]);
}

/** Formats the findings of a verification round; after the last one, also that the result is partial. */
export function formatVerificationNotice(
  { round, last_round: last, verification_result: result }: Omit<FactOf<'verification'>, 'type'>,
  options: PlanWriting,
): string {
  const texts = planTexts[options.locale];
  const toLine = toPlanLine(options);
  const { verification_passed: passed, placeholder_detected: placeholders } = result;
  const explained = placeholders.explained
    .slice(0, maxItems)
    .map(({ location, reason }) => texts.explained(toLine(location), toLine(reason)));
  const open = placeholders.locations.filter(
    (place) => !placeholders.explained.some(({ location }) => location === place),
  );
  return join([
    passed ? texts.verificationPassed : texts.verificationFailed,
    [texts.round(round, last), texts.confidence(Math.round(100 * result.completion_confidence))].join('\n'),
    `${texts.issuesFound}\n${formatList(result.issues_found, options)}`,
    placeholders.locations.length + explained.length === 0
      ? ''
      : [texts.placeholders, ...(open.length > 0 ? [formatList(open, options)] : []), ...explained].join(
          '\n',
        ),
    !passed && last !== undefined && round >= last ? texts.partial : '',
  ]);
}

/** Formats the line about actions in the statistics at the end of a run. @see referenced specifications, TASK STOP */
export function formatActionsDone(told: Pick<ToldPlan, 'plan' | 'tasks'>, { locale }: PlanWriting): string {
  return planTexts[locale].actionsDone(countProgress(told));
}

/** Formats the two lines about a plan in the comment of a stopped run. @see referenced specifications, TASK STOP */
export function formatStoppedPlan(
  state: Pick<ToldPlan, 'plan' | 'tasks'> & Pick<PlanningState, 'phase'>,
  { locale }: PlanWriting,
): string {
  return planTexts[locale].stopped(countProgress(state), state.phase);
}

function formatList(items: readonly string[], options: PlanWriting): string {
  const texts = planTexts[options.locale];
  const lines = items
    .slice(0, maxItems)
    .map(toPlanLine(options))
    .filter((line) => line !== '');
  const more = items.length - Math.min(items.length, maxItems);
  if (lines.length === 0) return `- ${texts.none}`;
  return [...lines.map((line) => `- ${line}`), ...(more > 0 ? [texts.more(more)] : [])].join('\n');
}

function join(paragraphs: readonly string[]): string {
  return paragraphs.filter((paragraph) => paragraph !== '').join('\n\n');
}
