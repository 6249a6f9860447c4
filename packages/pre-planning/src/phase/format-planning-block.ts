import { fitStart } from '@agent/text';
import {
  checkOptions,
  type ExpectationsOf,
  expected,
  expectNullable,
  expectNumber,
} from '@agent/text/options';
import { fitWrapped, madeBy, type WrapText, wrapText } from '../answers/prompt-options.ts';
import type { InformationNeeds } from '../collection/information-needs.ts';
import { toPercent } from '../texts.ts';
import type { PrePlanningResult } from './make-result.ts';

/** Options of `formatPlanningBlock`. */
export interface PlanningBlockOptions {
  /** Characters of the whole block, with what encloses its parts; default 24,000. */
  readonly maxChars?: number;
  /** Encloses what tools gave and what a model made of it; default: tags that it cannot close. */
  readonly wrap?: WrapText;
  /**
   * The plan for collecting, `collection_plan` of the state: what was wanted is then said in words beside its id.
   * A model wrote them: they stand inside of what `wrap` encloses. Default null.
   */
  readonly needs?: Pick<InformationNeeds, 'required_information'> | null;
}

const expectations: ExpectationsOf<PlanningBlockOptions> = {
  maxChars: expectNumber(0),
  wrap: expected.function,
  needs: expectNullable(expected.object),
};

/** Describes in a few words what was wanted under an id; empty where that is unknown. */
type Describe = (id: string) => string;
const maxDescriptionChars = 200;

/**
 * The result as a part of a prompt: what was understood, collected and assumed, what stays unknown. Collected and
 * assumed are kept apart: each item that was collected is enclosed by itself, and what a model wrote are lists of one
 * line each, so that no text can make a section of its own. Where room is short, it is what was collected that is
 * cut first. English, like all prompts; values stay in their language. @see seed 004 §7.2
 *
 * @example
 * const outcome = await manager.execute({ request });
 * if (outcome.status === 'done') prompt += formatPlanningBlock(outcome.result, { maxChars: 12_000 });
 */
export function formatPlanningBlock(result: PrePlanningResult, options: PlanningBlockOptions = {}): string {
  checkOptions('PlanningBlockOptions', options, expectations);
  const { maxChars = 24_000, wrap = wrapText, needs = null } = options;
  const describe = createDescribe(needs);
  const share = Math.floor(maxChars / 8);
  const head = `## What was found out before planning\n\n${wrap(formatUnderstanding(result, 2 * share), madeBy('understanding'))}`;
  const tail = wrap(
    formatConclusions(result, { maxChars: share, describe }),
    madeBy('assumptions, gaps, recommendations'),
  );
  const heading = '### Collected information\n';
  const room = maxChars - head.length - heading.length - tail.length - 4;
  const collected = fitCollected(result.collected_information, { maxChars: room, wrap, describe });
  return [head, `${heading}${collected || 'none'}`, tail].join('\n\n');
}

function createDescribe(needs: PlanningBlockOptions['needs']): Describe {
  const written = new Map(
    needs?.required_information.map(({ id, description }) => [id, toLine(description)]),
  );
  return (id) => {
    const description = written.get(id) ?? '';
    return description === id ? '' : fitStart(description, maxDescriptionChars);
  };
}

function formatUnderstanding(
  { request_understanding: understanding }: PrePlanningResult,
  maxChars: number,
): string {
  const { scope, ambiguities, understanding_confidence: confidence } = understanding;
  const lines = [
    `kind of task: ${toLine(understanding.task_type) || 'unknown'}`,
    `primary goal: ${toLine(understanding.primary_goal) || 'unknown'}`,
    `expected deliverables: ${join(understanding.expected_deliverables)}`,
    `constraints: ${join(understanding.constraints)}`,
    `in scope: ${join(scope.in_scope)}`,
    `out of scope: ${join(scope.out_of_scope)}`,
    ...ambiguities.map(
      ({ item, selected_interpretation: chosen, reasoning }) =>
        `ambiguous: ${item}; read as: ${toLine(chosen) || 'undecided'}${toLine(reasoning) && ` (${reasoning})`}`,
    ),
  ];
  return `### Understanding of the request (confidence ${toPercent(confidence)}%)\n${list(lines, maxChars)}`;
}

/** Each list may take this much. */
function formatConclusions(
  result: PrePlanningResult,
  { maxChars, describe }: { readonly maxChars: number; readonly describe: Describe },
): string {
  const assumptions = result.assumptions.map(
    ({ label, info_id: id, assumed_value: value, confidence, reasoning }) => {
      const wanted = describe(id) && `; stands in for: ${describe(id)}`;
      return `${label} ${id}: ${value} (confidence ${toPercent(confidence)}%; ${reasoning})${wanted}`;
    },
  );
  const gaps = result.information_gaps.map(
    ({ description, impact, reason }) => `${description} (impact: ${impact || 'unknown'}; ${reason})`,
  );
  return [
    `### Assumptions (not verified)\n${list(assumptions, maxChars)}`,
    `### Information gaps\n${list(gaps, maxChars)}`,
    `### Recommendations\n${list(result.recommendations_for_planning, maxChars)}`,
  ].join('\n\n');
}

function join(items: readonly string[]): string {
  return items.map(toLine).join('; ') || 'none';
}

function list(items: readonly string[], maxChars: number): string {
  return fitLines(
    items.map((item) => `- ${toLine(item)}`),
    maxChars,
  );
}

/** Keeps what a model wrote an item of its list. */
function toLine(text: string): string {
  return fitStart(text.replace(/\s+/g, ' ').trim(), 2_000);
}

/** Room for the line that says what is left out. */
const omittedChars = 60;

interface CollectedFit {
  readonly maxChars: number;
  readonly wrap: WrapText;
  /** Describes what was wanted, by its id; empty where that is unknown. */
  readonly describe: (id: string) => string;
}

/** Encloses each item that was collected: short ones whole, long ones cut, and how many there is no room for. */
function fitCollected(
  collected: PrePlanningResult['collected_information'],
  { maxChars, wrap, describe }: CollectedFit,
): string {
  const items = Object.entries(collected).flatMap(([category, entries]) =>
    Object.entries(entries ?? {}).map(([id, text]) => ({
      // A model wrote it, so that it is enclosed with what it names.
      text: describe(id) === '' ? text : `wanted: ${describe(id)}\n${text}`,
      source: madeBy(`${category}, ${id}`),
    })),
  );
  const lengths = items.map(({ text, source }) => text.length + wrap('-', source).length);
  const each = shareOut(lengths, maxChars - omittedChars);
  const shown: string[] = [];
  let omitted = 0;
  for (const { text, source } of items) {
    const wrapped = fitWrapped(text, source, { maxChars: each - 1, wrap });
    if (wrapped === null) omitted += 1;
    else shown.push(wrapped);
  }
  if (omitted > 0) shown.push(`(${omitted} more are left out: there is no room for them)`);
  return shown.join('\n');
}

/** The length that each may have, so that short ones leave their room to long ones. */
function shareOut(lengths: readonly number[], total: number): number {
  let left = total;
  let count = lengths.length;
  for (const length of lengths.toSorted((one, other) => one - other)) {
    if (length * count > left) return Math.floor(left / count);
    left -= length;
    count -= 1;
  }
  return total;
}

/** Room for the line that says what is left out. */
const reserveChars = 40;

/** Keeps the first lines that there is room for, and tells how many more there are; `none` for an empty list. */
function fitLines(lines: readonly string[], maxChars: number): string {
  const whole = lines.join('\n');
  if (whole.length <= maxChars) return whole || 'none';
  const room = Math.max(0, maxChars - reserveChars);
  const shown: string[] = [];
  let left = room;
  for (const line of lines) {
    left -= line.length + 1;
    if (left < 0) break;
    shown.push(line);
  }
  if (shown.length === 0) shown.push(fitStart(lines[0] ?? '', room));
  const omitted = lines.length - shown.length;
  return omitted === 0 ? shown.join('\n') : [...shown, `- (${omitted} more are left out)`].join('\n');
}
