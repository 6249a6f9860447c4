import {
  countProgress,
  formatChecklist,
  formatLoopModeNotice,
  formatReplanNotice,
  formatVerificationNotice,
  type PlanningFact,
  type PlanningState,
  planningFactName,
} from '@agent/runner/planning';
import { createToLine, formatTime, type ToLine } from '@agent/text';
import type { PlanTelling } from './format-plan-sections.ts';
import type { ProgressView } from './format-progress.ts';
import type { ProgressRecord } from './read-progress.ts';
import type { ShownComment } from './run-progress.ts';
import { progressCommentTexts } from './seed-comment-texts.ts';
import { progressTexts } from './texts.ts';

/** Fact of a plan, with its time (ISO 8601, UTC). */
export interface HistoryEntry {
  readonly at: string;
  readonly fact: PlanningFact;
}

/** Reads the history of a run's plan, oldest first, and how often the model was asked. */
export interface RunHistory {
  readonly entries: readonly HistoryEntry[];
  /** Answers of the model. */
  readonly modelCalls: number;
}

/** Reads it from the record; the oldest entries over the limit are left out. */
export async function readHistory(
  { journal }: Pick<ProgressRecord, 'journal'>,
  { maxEntries }: { readonly maxEntries: number },
): Promise<RunHistory> {
  const entries: HistoryEntry[] = [];
  let modelCalls = 0;
  for await (const entry of journal.read({ facts: [planningFactName] })) {
    if (entry.type === 'message' && entry.message.role === 'assistant') modelCalls += 1;
    if (entry.type === 'fact' && entry.name === planningFactName)
      entries.push({ at: entry.timestamp, fact: entry.data as PlanningFact });
  }
  return { entries: maxEntries === 0 ? [] : entries.slice(-maxEntries), modelCalls };
}

export interface ProgressCommentOptions extends PlanTelling {
  readonly uuid: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly history: RunHistory;
  readonly isOver: boolean;
}

type Words = ProgressCommentOptions & {
  readonly text: typeof progressCommentTexts.ja;
  readonly toLine: ToLine;
};

/** Formats the one comment of a run, as the seeds have it. @see referenced specifications, PROGRESS_COMMENT_UPDATE */
export function formatProgressComment(view: ProgressView, options: ProgressCommentOptions): string {
  const text = progressCommentTexts[options.locale];
  const toLine = createToLine(options.redactOutgoing, { maxChars: 300 });
  const words: Words = { ...options, text, toLine };
  const checklist = view.plan === null ? '' : formatChecklist(view.plan, options);
  return [
    `${text.title}\n\n**Task UUID:** \`${options.uuid}\``,
    formatState(view, words),
    checklist === '' ? '' : `${text.checklist}\n\n${checklist.replace(/^(#{2,3}) /gm, '#$1 ')}`,
    formatHistory(words),
    text.footer(...listTimes(words)),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** When the run began, and when its record was written last. */
function listTimes({ startedAt, timeZone, history }: Words): readonly [string, string] {
  const last = history.entries.at(-1)?.at ?? startedAt;
  return [formatTime(new Date(startedAt), timeZone), formatTime(new Date(last), timeZone)];
}

const phases = ['pre_planning', 'planning', 'execution', 'reflection', 'verification', 'complete'] as const;

function formatState(view: ProgressView, words: Words): string {
  const { text, toLine, isOver, history } = words;
  const { plan, prePlanning } = view;
  const phase = findPhase(view, isOver);
  const at = phases.indexOf(phase);
  const way = phases.map(
    (name, index) => `${index < at ? '✅ ' : index === at ? '▶️ ' : ''}${text.phases[name]}`,
  );
  const [startedAt, updatedAt] = listTimes(words);
  const comment = findComment(plan);
  const goal = prePlanning?.understanding_result?.primary_goal ?? '';
  const lines = [
    text.phase(text.phases[phase]),
    text.way(way.join(' → ')),
    text.status(isOver ? text.ended : text.running),
    comment === '' ? '' : text.comment(toLine(comment)),
    plan?.plan == null ? '' : text.progress(countProgress(plan)),
    text.modelCalls(history.modelCalls),
    text.startedAt(startedAt),
    text.updatedAt(updatedAt),
    goal === '' ? '' : text.goal(toLine(goal)),
    formatVerified(plan, words),
  ];
  return `${text.state}\n\n${lines
    .filter((line) => line !== '')
    .map((line) => `- ${line}`)
    .join('\n')}`;
}

function findPhase({ plan, hasBegun }: ProgressView, isOver: boolean): (typeof phases)[number] {
  if (isOver || plan?.phase === 'report') return 'complete';
  if (!hasBegun) return 'pre_planning';
  if (plan === null || plan.phase === 'execution') return 'execution';
  return plan.phase === 'revision' ? 'reflection' : plan.phase;
}

function findComment(plan: PlanningState | null): string {
  const comments = plan?.facts.map(commentOf).filter((comment) => comment !== '') ?? [];
  return comments.at(-1) ?? '';
}

function commentOf(fact: PlanningFact): string {
  if (fact.type === 'plan') return fact.plan.comment ?? '';
  if (fact.type === 'action') return fact.detail;
  if (fact.type === 'reflection') return fact.evaluation.comment ?? '';
  return fact.type === 'verification' ? (fact.verification_result.comment ?? '') : '';
}

function formatVerified(plan: PlanningState | null, { text }: Words): string {
  const last = plan?.verifications.at(-1);
  return last === undefined ? '' : text.verified(last.verification_passed);
}

function formatHistory(words: Words): string {
  const { text, history, timeZone } = words;
  const told = history.entries.flatMap(({ at, fact }) => {
    const title = titleOf(fact, words);
    const [time] = /\d\d:\d\d:\d\d/.exec(formatTime(new Date(at), timeZone)) ?? [''];
    return title === '' ? [] : [`### [${time}] ${title}`];
  });
  if (told.length === 0) return '';
  return `${text.history}\n\n<details><summary>${text.open}</summary>\n\n${told.join('\n\n')}\n\n</details>`;
}

function titleOf(fact: PlanningFact, { text, toLine }: Words): string {
  switch (fact.type) {
    case 'phase':
      return text.begun(fact.phase);
    case 'plan':
      return text.planned(fact.plan.action_plan.actions.length);
    case 'revision':
      return text.revised(fact.number, toLine(fact.reason));
    case 'action':
      return fact.state === 'started' ? '' : text.actions[fact.state](toLine(fact.task_id));
    case 'verification':
      return text.round(fact.round, fact.verification_result.verification_passed);
    default:
      return '';
  }
}

/** Topic of the comment that shows the checklist alone. */
export const checklistTopic = 'plan';

/**
 * Lists the single comments that the seeds have of a plan: the checklist, which is edited, and one for each decision and each round
 * of verification. @see seed 002 §13, referenced specifications, REPLANNING and VERIFICATION
 */
export function listSeedComments(
  { plan }: Pick<ProgressView, 'plan'>,
  options: PlanTelling,
): readonly ShownComment[] {
  if (plan === null) return [];
  return [
    { topic: checklistTopic, body: formatChecklist(plan, options) },
    ...listNotices(plan, options),
  ].filter(({ body }) => body !== '');
}

function listNotices(plan: PlanningState, options: PlanTelling): readonly ShownComment[] {
  const { droppedRevision } = progressTexts[options.locale];
  const toLine = createToLine(options.redactOutgoing);
  return plan.facts.flatMap((fact, index): ShownComment[] => {
    const topic = `plan:${index}`;
    if (fact.type === 'loop_mode') return [{ topic, body: formatLoopModeNotice(fact, options) }];
    if (fact.type === 'verification') return [{ topic, body: formatVerificationNotice(fact, options) }];
    if (fact.type === 'replan_decision' && fact.llm_decision.replan_needed)
      return [{ topic, body: formatReplanNotice(fact, { ...options, at: null }) }];
    if (fact.type === 'revision_dropped')
      return [{ topic, body: droppedRevision(toLine(fact.reasons.join('; '))) }];
    return [];
  });
}
