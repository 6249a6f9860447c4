import type { PrePlanningState } from '@agent/pre-planning';
import type { PlanningState } from '@agent/runner/planning';
import { createToLine, type Locale, type ToLine } from '@agent/text';
import type { PlanningSection } from '../config/planning-settings.ts';
import { formatPlanNow, formatPlanSections, type PlanTelling } from './format-plan-sections.ts';
import type { en } from './texts.en.ts';
import { progressTexts } from './texts.ts';

/** Part of a run's record that people are shown. */
export interface ProgressView {
  /** Null for a run that does not pre-plan. */
  readonly prePlanning: PrePlanningState | null;
  /** True once the run's conversation has begun: what pre-planning has not found out by then it does not find out. */
  readonly hasBegun: boolean;
  /** Null for a run in loop mode. */
  readonly plan: PlanningState | null;
}

/** Sections of pre-planning, by the keys of `planning.pre_planning.notification`. */
export interface PrePlanningSections {
  /** State of the analysis. */
  readonly start: boolean;
  readonly understanding: boolean;
  /** Information to collect, with its progress. */
  readonly collectionStart: boolean;
  /** Information that was collected. */
  readonly collectionEnd: boolean;
  readonly assumption: boolean;
}

const allSections: PrePlanningSections = {
  ...{ start: true, understanding: true, collectionStart: true, collectionEnd: true, assumption: true },
};

/** Reads the sections from the configuration. */
export function toPrePlanningSections(
  notification: PlanningSection['pre_planning']['notification'],
): PrePlanningSections {
  return {
    start: notification.notify_on_start,
    understanding: notification.notify_on_understanding_complete,
    collectionStart: notification.notify_on_collection_start,
    collectionEnd: notification.notify_on_collection_complete,
    assumption: notification.notify_on_assumption ?? true,
  };
}

export interface ProgressOptions extends PlanTelling {
  /** Default: all. */
  readonly sections?: PrePlanningSections | undefined;
  /** True at the end: nothing goes on, and nothing can be rejected any more. */
  readonly isOver: boolean;
  /** True while the run works, false while it waits; null if only its record is known. Default null. */
  readonly isAtWork?: boolean | null | undefined;
}

/** Longest text of all sections together, in UTF-16 units, far below what any platform takes; and of those before the plan. */
const maxChars = { all: 20_000, prePlanning: 8_000 };

/** Formats the sections of the comment that a run keeps on its thread; empty where there is nothing to show. */
export function formatProgress(view: ProgressView, options: ProgressOptions): string {
  const text = progressTexts[options.locale];
  const { sections: shown = allSections } = options;
  const toLine = createToLine(options.redactOutgoing);
  const words: ShownWords = { ...options, sections: shown, text, toLine };
  const { prePlanning, plan } = view;
  const sections = [
    options.isOver || options.isAtWork === false ? null : formatNow(view, words),
    prePlanning === null ? null : formatPrePlanning(prePlanning, { ...view, ...words }),
    ...(plan === null ? [] : formatPlanSections(plan, words)),
  ];
  return fitSections(sections, { text, room: maxChars.all });
}

function formatPrePlanning(
  state: PrePlanningState,
  words: ShownWords & Pick<ProgressView, 'hasBegun'>,
): Section {
  const shown = words.sections;
  const sections = [
    shown.understanding ? formatUnderstanding(state, words) : null,
    shown.assumption ? formatAssumptions(state, words) : null,
    formatInformation(state, words),
  ];
  return fitSections(sections, { ...words, room: maxChars.prePlanning });
}

interface ShownWords extends ProgressOptions {
  readonly sections: PrePlanningSections;
  readonly text: typeof en;
  readonly toLine: ToLine;
}

type Section = string | null;

function formatNow({ prePlanning, hasBegun, plan }: ProgressView, words: ShownWords): Section {
  const { text, sections } = words;
  const planned = plan === null ? null : formatPlanNow(plan, words);
  if (planned !== null) return text.now(planned);
  if (prePlanning === null) return words.isAtWork === true ? text.now(text.working) : null;
  const { current_subphase: subphase, collection_plan: needs, collection_results: results } = prePlanning;
  const isCutShort = hasBegun && subphase !== 'complete';
  if (hasBegun)
    return [text.now(text.working), ...(isCutShort && sections.collectionEnd ? [text.cutShort] : [])].join(
      '\n\n',
    );
  if (!sections.start) return null;
  if (subphase === 'complete' && plan !== null) return text.now(text.phase('planning'));
  const count = subphase === 'collection' ? text.of(results.length, needs?.collection_order.length ?? 0) : '';
  return text.now(`${text.subphase(subphase)}${count}`);
}

function formatUnderstanding(
  { understanding_result: understanding }: PrePlanningState,
  { text, toLine }: ShownWords,
): Section {
  if (understanding === null) return null;
  // A confidence of 0 stands for an answer that could not be used: its goal is the title of the task.
  if (understanding.understanding_confidence === 0) return `${text.understanding}\n\n${text.notUnderstood}`;
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

function formatInformation(
  state: PrePlanningState,
  words: ShownWords & Pick<ProgressView, 'hasBegun'>,
): Section {
  const { text, toLine, isOver, hasBegun, sections } = words;
  const { collection_plan: plan, collection_results: results } = state;
  if (plan === null) return null;
  const isDecided = hasBegun || isOver || state.current_subphase === 'complete';
  const isShown = sections.collectionEnd && (isDecided || sections.collectionStart);
  if (!isShown) return sections.collectionStart ? formatPlanned(state, words) : null;
  if (plan.skip_collection) return `${text.information}\n\n${text.skipped(toLine(plan.skip_reason))}`;
  const wanted = nameNeeds(state, toLine);
  const statuses = new Map(results.map(({ info_id: id, status }) => [id, status]));
  const reasons = new Map(state.information_gaps.map(({ info_id: id, reason }) => [id, reason]));
  const assumed = new Map(state.assumptions.map((one) => [one.info_id, one]));
  const lines = plan.collection_order.map((id) => {
    const item = wanted(id);
    const status = statuses.get(id);
    const assumption = assumed.get(id);
    if (status === 'collected') return text.collected(item);
    if (status === 'assumed' || assumption !== undefined) {
      const line = text.assumed(item, assumption?.label ?? '');
      // The value is in the section of assumptions, if that is shown.
      return assumption === undefined || sections.assumption
        ? line
        : `${line}: ${formatValue(assumption, words)}`;
    }
    const reason = reasons.get(id);
    if (reason !== undefined || isDecided) return text.missing(item, toLine(reason ?? ''));
    return text.open(item);
  });
  const hint = sections.assumption ? [] : formatHint(state, words);
  return lines.length === 0 ? null : [text.information, '', ...lines, ...hint].join('\n');
}

/** Lists what is to be collected, for a comment that shows no results. */
function formatPlanned(state: PrePlanningState, { text, toLine }: ShownWords): Section {
  const wanted = nameNeeds(state, toLine);
  const lines = state.collection_plan?.collection_order.map((id) => `- ${wanted(id)}`) ?? [];
  return lines.length === 0 ? null : `${text.planned}\n\n${lines.join('\n')}`;
}

type Assumption = PrePlanningState['assumptions'][number];

function formatValue(
  { assumed_value: value, confidence, reasoning }: Assumption,
  { text, toLine }: ShownWords,
) {
  return toLine(value) + text.because(toPercent(confidence), toLine(reasoning));
}

function formatHint(
  { assumptions: [first] }: PrePlanningState,
  { text, isOver }: ShownWords,
): readonly string[] {
  return first === undefined || isOver ? [] : ['', text.howToReject(first.label)];
}

function formatAssumptions(state: PrePlanningState, words: ShownWords): Section {
  const { text, toLine } = words;
  const { assumptions, constraints } = state;
  if (assumptions.length + constraints.length === 0) return null;
  const wanted = nameNeeds(state, toLine);
  const lines = assumptions.flatMap((one) => [
    text.assumption(one.label, wanted(one.info_id), formatValue(one, words)),
    ...(one.refuted_by === '' ? [] : [text.refutedBy(toLine(one.refuted_by))]),
  ]);
  const rejected = constraints.map((one) => text.rejected(toLine(one)));
  return [text.assumptions, '', ...lines, ...rejected, ...formatHint(state, words)].join('\n');
}

/** Creates what names an item by what was wanted. */
function nameNeeds({ collection_plan: plan }: PrePlanningState, toLine: ToLine): (id: string) => string {
  const described = new Map(plan?.required_information.map((need) => [need.id, need.description]));
  return (id) => toLine(described.get(id) || id);
}

function toPercent(share: number): number {
  return Math.round(share * 100);
}

/** Cuts what does not fit, from the end: what a run does now stands first, and what is folded is left out whole. */
function fitSections(
  all: readonly Section[],
  { text, room: whole }: { readonly text: typeof en; readonly room: number },
): string {
  const sections = all.flatMap((section) => section || []);
  const shown: string[] = [];
  let room = whole - text.cut(sections.length).length - 2;
  for (const section of sections) {
    const fitted = fitLines(section, room);
    if (fitted === null) continue;
    room -= fitted.length + 2;
    shown.push(fitted);
  }
  const left = sections.length - shown.length;
  return [...shown, ...(left === 0 ? [] : [text.cut(left)])].join('\n\n');
}

/** The first lines of a section; null where it is folded, or nothing of it fits. */
function fitLines(section: string, room: number): string | null {
  if (section.length <= room) return section;
  const end = section.lastIndexOf('\n', room - 2);
  if (section.startsWith('<details>') || end < 0) return null;
  return `${section.slice(0, end)}\n…`;
}

/** Formats the comment of a run whose claim does not show the sections. */
export function formatSeparateComment(sections: string, locale: Locale): string {
  return `${progressTexts[locale].title}\n\n${sections}`;
}
