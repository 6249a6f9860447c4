import type { PrePlanningState } from '@agent/pre-planning';
import { createToLine, type Locale, type ToLine } from '@agent/text';
import type { Redact } from '@agent/text/outgoing';
import { en } from './texts.en.ts';
import { ja } from './texts.ja.ts';

const texts: Readonly<Record<Locale, typeof en>> = { en, ja };

/** What the record of a run says that people are shown. */
export interface ProgressView {
  /** Null for a run that does not pre-plan. */
  readonly prePlanning: PrePlanningState | null;
  /** True once the run's conversation has begun: what pre-planning has not found out by then it does not find out. */
  readonly hasBegun: boolean;
}

export interface ProgressOptions {
  readonly locale: Locale;
  /** Takes secrets out of what models and people said. */
  readonly redactOutgoing: Redact;
  /** True at the end: nothing goes on, and nothing can be rejected any more. */
  readonly isOver: boolean;
}

/** Longest text of all sections together, in UTF-16 units: far below what any platform takes. */
const maxSectionsChars = 20_000;

/** Formats the sections of the comment that a run keeps on its thread; empty where there is nothing to show. */
export function formatProgress(view: ProgressView, options: ProgressOptions): string {
  const words: Words = { text: texts[options.locale], toLine: createToLine(options.redactOutgoing) };
  const { prePlanning } = view;
  if (prePlanning === null) return '';
  const sections = [
    options.isOver ? null : formatNow(view, words),
    formatUnderstanding(prePlanning, words),
    formatInformation(view, { ...words, isOver: options.isOver }),
    formatAssumptions(prePlanning, { ...words, isOver: options.isOver }),
  ];
  return fitSections(
    sections.filter((section) => section !== null),
    words,
  );
}

interface Words {
  readonly text: typeof en;
  readonly toLine: ToLine;
}

type Section = string | null;

function formatNow({ prePlanning, hasBegun }: ProgressView, { text }: Words): Section {
  if (prePlanning === null) return null;
  const { current_subphase: subphase, collection_plan: plan, collection_results: results } = prePlanning;
  const isCutShort = hasBegun && subphase !== 'complete';
  if (hasBegun) return [text.now(text.working), ...(isCutShort ? [text.cutShort] : [])].join('\n\n');
  const count = subphase === 'collection' ? text.of(results.length, plan?.collection_order.length ?? 0) : '';
  return text.now(`${text.subphase(subphase)}${count}`);
}

function formatUnderstanding(
  { understanding_result: understanding }: PrePlanningState,
  { text, toLine }: Words,
): Section {
  if (understanding === null) return null;
  const { task_type: kind, scope, expected_deliverables: deliverables } = understanding;
  const join = (items: readonly string[]) => items.map(toLine).join(text.separator);
  const lines = [
    understanding.primary_goal && text.goal(toLine(understanding.primary_goal)),
    text.kind(toLine(kind), toPercent(understanding.understanding_confidence)),
    scope.in_scope.length > 0 && text.inScope(join(scope.in_scope)),
    scope.out_of_scope.length > 0 && text.outOfScope(join(scope.out_of_scope)),
    deliverables.length > 0 && text.deliverables,
    ...deliverables.map((one) => `  - ${toLine(one)}`),
  ];
  return [text.understanding, '', ...lines.filter((line) => typeof line === 'string' && line !== '')].join(
    '\n',
  );
}

type ShownWords = Words & Pick<ProgressOptions, 'isOver'>;

function formatInformation({ prePlanning, hasBegun }: ProgressView, words: ShownWords): Section {
  const plan = prePlanning?.collection_plan ?? null;
  if (prePlanning === null || plan === null) return null;
  const { text, toLine, isOver } = words;
  if (plan.skip_collection) return `${text.information}\n\n${text.skipped(toLine(plan.skip_reason))}`;
  const wanted = nameNeeds(prePlanning, toLine);
  const statuses = new Map(prePlanning.collection_results.map(({ info_id: id, status }) => [id, status]));
  const reasons = new Map(prePlanning.information_gaps.map(({ info_id: id, reason }) => [id, reason]));
  const labels = new Map(prePlanning.assumptions.map(({ info_id: id, label }) => [id, label]));
  const isDecided = hasBegun || isOver || prePlanning.current_subphase === 'complete';
  const lines = plan.collection_order.map((id) => {
    const item = wanted(id);
    const status = statuses.get(id);
    const label = labels.get(id);
    if (status === 'collected') return text.collected(item);
    if (status === 'assumed' || label !== undefined) return text.assumed(item, label ?? '');
    const reason = reasons.get(id);
    if (reason !== undefined || isDecided) return text.missing(item, toLine(reason ?? ''));
    return text.open(item);
  });
  return lines.length === 0 ? null : `${text.information}\n\n${lines.join('\n')}`;
}

function formatAssumptions(state: PrePlanningState, { text, toLine, isOver }: ShownWords): Section {
  const { assumptions, constraints } = state;
  if (assumptions.length + constraints.length === 0) return null;
  const wanted = nameNeeds(state, toLine);
  const lines = assumptions.flatMap(({ label, info_id: id, refuted_by: refutation, ...one }) => [
    text.assumption(label, wanted(id), toLine(one.assumed_value)) +
      text.because(toPercent(one.confidence), toLine(one.reasoning)),
    ...(refutation === '' ? [] : [text.refutedBy(toLine(refutation))]),
  ]);
  const rejected = constraints.map((one) => text.rejected(toLine(one)));
  const [first] = assumptions;
  const hint = first === undefined || isOver ? [] : ['', text.howToReject(first.label)];
  return [text.assumptions, '', ...lines, ...rejected, ...hint].join('\n');
}

/** Creates what names an item by what was wanted. */
function nameNeeds({ collection_plan: plan }: PrePlanningState, toLine: ToLine): (id: string) => string {
  const described = new Map(plan?.required_information.map((need) => [need.id, need.description]));
  return (id) => toLine(described.get(id) || id);
}

function toPercent(share: number): number {
  return Math.round(share * 100);
}

/** Leaves out what does not fit, from the end: what a run does now stands first. */
function fitSections(sections: readonly string[], { text }: Words): string {
  const shown: string[] = [];
  let room = maxSectionsChars - text.cut(sections.length).length;
  for (const section of sections) {
    room -= section.length + 2;
    if (room < 0) break;
    shown.push(section);
  }
  const left = sections.length - shown.length;
  return [...shown, ...(left === 0 ? [] : [text.cut(left)])].join('\n\n');
}

/** Formats the comment of a run whose claim does not show the sections. */
export function formatSeparateComment(sections: string, locale: Locale): string {
  return `${texts[locale].title}\n\n${sections}`;
}
