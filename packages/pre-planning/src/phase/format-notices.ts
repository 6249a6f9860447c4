import { createToLine, formatTime, type Locale, type ToLine } from '@agent/text';
import type { Assumption, InformationGap } from '../assumption/assumption-maker.ts';
import type { CollectionResult } from '../collection/collected-information.ts';
import { type InformationNeeds, isFailedPlan } from '../collection/information-needs.ts';
import type { AssumptionParts } from '../texts.en.ts';
import { type PhaseTexts, phaseTexts, toPercent } from '../texts.ts';
import { type RequestUnderstanding, unknownTaskType } from '../understanding/understanding.ts';

/** Language of a notice, and the filter that its words pass. */
interface NoticeWriting {
  readonly locale: Locale;
  /** Takes secrets out of what models and threads say, before anything else is done with it. */
  readonly redactOutgoing: (text: string) => string;
}

/** Time of a notice, and what comes next. */
interface NoticeOptions extends NoticeWriting {
  /** An IANA name. */
  readonly timeZone: string;
  /** Next phase, as the last notice says it. Default `planning`. */
  readonly next?: 'planning' | 'work' | undefined;
  readonly now: Date;
}

/** @see seed 004 §8.2.1 */
export function formatStartNotice({ locale, timeZone, now }: NoticeOptions): string {
  return phaseTexts[locale].notice.start(formatTime(now, timeZone));
}

/** `threshold`: from which confidence on an understanding suffices. @see seed 004 §8.2.2 */
export function formatUnderstandingNotice(
  understanding: RequestUnderstanding,
  { locale, redactOutgoing, threshold }: NoticeWriting & { readonly threshold: number },
): string {
  const texts = phaseTexts[locale].notice;
  const { task_type: kind, scope, understanding_confidence: confidence } = understanding;
  const toLine = createToLine(redactOutgoing);
  const join = (items: readonly string[]) => items.map(toLine).join(texts.separator) || texts.none;
  return texts.understanding({
    kind: isKnown(kind) ? toLine(kind) : texts.unknownKind,
    goal: toLine(understanding.primary_goal) || texts.none,
    deliverables: toList(understanding.expected_deliverables.map(toLine), texts.none),
    inScope: join(scope.in_scope),
    outOfScope: join(scope.out_of_scope),
    percent: toPercent(confidence, { threshold }),
  });
}

/** The least understanding has a word for it that is not for people. */
function isKnown(kind: string): boolean {
  return kind !== '' && kind !== unknownTaskType;
}

/** @see decision E8 */
export function formatCollectionStartNotice(
  needs: InformationNeeds,
  { locale, redactOutgoing }: NoticeWriting,
): string {
  const texts = phaseTexts[locale].notice;
  const wanted = describeNeeds(needs, createToLine(redactOutgoing));
  return texts.collectionStart(
    toList(
      needs.collection_order.map((id) => wanted.get(id) ?? id),
      texts.none,
    ),
  );
}

/** @see decision E8 */
export function formatAssumptionNotice(
  assumption: Assumption,
  { needs, locale, redactOutgoing }: NoticeWriting & { readonly needs: InformationNeeds },
): string {
  return phaseTexts[locale].notice.assumption(toParts(assumption, needs, createToLine(redactOutgoing)));
}

export interface CollectionOutcome {
  readonly needs: InformationNeeds;
  readonly results: readonly CollectionResult[];
  /** Assumptions that were not rejected. */
  readonly assumptions: readonly Assumption[];
  readonly gaps: readonly InformationGap[];
}

/** @see seed 004 §8.2.3, decision E9 */
export function formatCollectionEndNotice(outcome: CollectionOutcome, options: NoticeOptions): string {
  const { needs, assumptions } = outcome;
  const texts = phaseTexts[options.locale].notice;
  const toLine = createToLine(options.redactOutgoing);
  const lines = assumptions.map((one) => texts.assumptionLine(toParts(one, needs, toLine)));
  const [first] = assumptions;
  return texts.collectionEnd({
    collected: needs.skip_collection
      ? describeSkip(needs, texts, toLine)
      : listResults(outcome, texts, toLine),
    assumed: first === undefined ? null : { lines: lines.join('\n'), example: first.label },
    next: options.next ?? 'planning',
    time: formatTime(options.now, options.timeZone),
  });
}

function describeSkip(needs: InformationNeeds, texts: PhaseTexts['notice'], toLine: ToLine): string {
  const reason = toLine(needs.skip_reason);
  return isFailedPlan(needs) ? texts.notPlanned(reason) : texts.skipped(reason);
}

function listResults(
  { needs, results, gaps }: CollectionOutcome,
  texts: PhaseTexts['notice'],
  toLine: ToLine,
): string {
  const wanted = describeNeeds(needs, toLine);
  const statuses = new Map(results.map(({ info_id: id, status }) => [id, status]));
  const reasons = new Map(gaps.map(({ info_id: id, reason }) => [id, toLine(reason)]));
  const lines = needs.collection_order.map((id) => {
    const item = wanted.get(id) ?? id;
    const status = statuses.get(id);
    if (status === 'collected') return texts.collectedItem(item);
    return status === 'assumed' ? texts.assumedItem(item) : texts.failedItem(item, reasons.get(id) ?? '');
  });
  return lines.join('\n') || `- ${texts.none}`;
}

function describeNeeds(
  { required_information: items }: InformationNeeds,
  toLine: ToLine,
): ReadonlyMap<string, string> {
  return new Map(items.map(({ id, description }) => [id, toLine(description || id)]));
}

function toParts(assumption: Assumption, needs: InformationNeeds, toLine: ToLine): AssumptionParts {
  const { label, info_id: id, confidence } = assumption;
  return {
    label,
    wanted: describeNeeds(needs, toLine).get(id) ?? toLine(id),
    value: toLine(assumption.assumed_value),
    reasoning: toLine(assumption.reasoning),
    percent: toPercent(confidence),
    refutedBy: toLine(assumption.refuted_by),
  };
}

/** A list in Markdown of lines; `none` where it is empty. */
function toList(lines: readonly string[], none: string): string {
  return (lines.length === 0 ? [none] : lines).map((line) => `- ${line}`).join('\n');
}
