import type { Assumption } from '../assumption/assumption.ts';
import type { CollectionResult } from '../collection/collected-information.ts';
import { isFailedPlan } from '../collection/failed-plan.ts';
import type { InformationNeeds } from '../collection/information-needs.ts';
import type { Locale } from '../pre-planning-request.ts';
import { toPercent } from '../to-percent.ts';
import { unknownTaskType } from '../understanding/judge-understanding.ts';
import type { RequestUnderstanding } from '../understanding/understanding.ts';
import { formatTime } from './format-time.ts';
import { type AssumptionParts, type NoticeTexts, noticeTexts } from './notice-texts.ts';
import { toLine, toList } from './to-line.ts';

/** In which words and at which time a notice is given. */
export interface NoticeOptions {
  readonly locale: Locale;
  /** An IANA name. */
  readonly timeZone: string;
  readonly now: Date;
}

/** @see seed 004 §8.2.1 */
export function formatStartNotice({ locale, timeZone, now }: NoticeOptions): string {
  return noticeTexts[locale].start(formatTime(now, timeZone));
}

/** @see seed 004 §8.2.2 */
export function formatUnderstandingNotice(understanding: RequestUnderstanding, locale: Locale): string {
  const texts = noticeTexts[locale];
  const { scope } = understanding;
  const join = (items: readonly string[]) => items.map(toLine).join(texts.separator) || texts.none;
  return texts.understanding({
    kind: isKnown(understanding.task_type) ? toLine(understanding.task_type) : texts.unknownKind,
    goal: toLine(understanding.primary_goal) || texts.none,
    deliverables: toList(understanding.expected_deliverables, texts.none),
    inScope: join(scope.in_scope),
    outOfScope: join(scope.out_of_scope),
    percent: toPercent(understanding.understanding_confidence),
  });
}

/** The least understanding has a word for it that is not for people. */
function isKnown(kind: string): boolean {
  return kind !== '' && kind !== unknownTaskType;
}

/** @see decision E8 */
export function formatCollectionStartNotice(needs: InformationNeeds, locale: Locale): string {
  const texts = noticeTexts[locale];
  const wanted = describeNeeds(needs);
  const items = needs.collection_order.map((id) => wanted.get(id) ?? id);
  return texts.collectionStart(toList(items, texts.none));
}

/** @see decision E8 */
export function formatAssumptionNotice(
  assumption: Assumption,
  { needs, locale }: { readonly needs: InformationNeeds; readonly locale: Locale },
): string {
  return noticeTexts[locale].assumption(toParts(assumption, describeNeeds(needs)));
}

export interface CollectionOutcome {
  readonly needs: InformationNeeds;
  readonly results: readonly CollectionResult[];
  readonly assumptions: readonly Assumption[];
}

/** @see seed 004 §8.2.3, decision E9 */
export function formatCollectionEndNotice(outcome: CollectionOutcome, options: NoticeOptions): string {
  const { needs, results, assumptions } = outcome;
  const texts = noticeTexts[options.locale];
  const wanted = describeNeeds(needs);
  const lines = assumptions.map((assumption) => texts.assumptionLine(toParts(assumption, wanted)));
  return texts.collectionEnd({
    collected: needs.skip_collection
      ? describeSkip(needs, texts)
      : listResults(needs, { results, wanted, texts }),
    assumed: lines.length === 0 ? null : lines.join('\n'),
    time: formatTime(options.now, options.timeZone),
  });
}

function describeSkip(needs: InformationNeeds, texts: NoticeTexts): string {
  const reason = toLine(needs.skip_reason);
  return isFailedPlan(needs) ? texts.notPlanned(reason) : texts.skipped(reason);
}

function listResults(
  needs: InformationNeeds,
  {
    results,
    wanted,
    texts,
  }: {
    readonly results: readonly CollectionResult[];
    readonly wanted: ReadonlyMap<string, string>;
    readonly texts: NoticeTexts;
  },
): string {
  const statuses = new Map(results.map(({ info_id: id, status }) => [id, status]));
  const lines = needs.collection_order.map((id) => {
    const item = toLine(wanted.get(id) ?? id);
    const status = statuses.get(id);
    if (status === 'collected') return `- ✅ ${item}`;
    return status === 'assumed' ? texts.assumedItem(item) : texts.failedItem(item);
  });
  return lines.join('\n') || `- ${texts.none}`;
}

function describeNeeds({ required_information: items }: InformationNeeds): ReadonlyMap<string, string> {
  return new Map(items.map(({ id, description }) => [id, description || id]));
}

function toParts(assumption: Assumption, wanted: ReadonlyMap<string, string>): AssumptionParts {
  return {
    label: assumption.label,
    wanted: toLine(wanted.get(assumption.info_id) ?? assumption.info_id),
    value: toLine(assumption.assumed_value),
    reasoning: toLine(assumption.reasoning),
    percent: toPercent(assumption.confidence),
    refutedBy: toLine(assumption.refuted_by),
  };
}
