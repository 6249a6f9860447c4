import { fitStart } from '../prompts/fit-start.ts';
import { madeBy, type WrapText, wrapText } from '../prompts/prompt-options.ts';
import { toPercent } from '../to-percent.ts';
import type { PrePlanningResult } from './pre-planning-result.ts';

/** How the result is told to a model. */
export interface PlanningBlockOptions {
  /** Of collected information together; default 24,000. */
  readonly maxChars?: number;
  /** Encloses what tools gave; default: tags that it cannot close. */
  readonly wrap?: WrapText;
}

/**
 * The result as a part of a prompt: what was understood, collected and assumed, what stays unknown. Collected and
 * assumed are kept apart. English, like all prompts; values stay in their language. @see seed 004 §7.2
 */
export function formatPlanningBlock(
  result: PrePlanningResult,
  { maxChars = 24_000, wrap = wrapText }: PlanningBlockOptions = {},
): string {
  const { request_understanding: understanding } = result;
  const { scope } = understanding;
  return [
    '## What was found out before planning',
    `### Understanding of the request (confidence ${toPercent(understanding.understanding_confidence)}%)
- kind of task: ${toLine(understanding.task_type) || 'unknown'}
- primary goal: ${toLine(understanding.primary_goal) || 'unknown'}
- expected deliverables: ${join(understanding.expected_deliverables)}
- constraints: ${join(understanding.constraints)}
- in scope: ${join(scope.in_scope)}
- out of scope: ${join(scope.out_of_scope)}${understanding.ambiguities.map(({ item, selected_interpretation: chosen, reasoning }) => `\n- ${toLine(`ambiguous: ${item}; read as: ${chosen} (${reasoning})`)}`).join('')}`,
    `### Collected information\n${formatCollected(result, { maxChars, wrap })}`,
    `### Assumptions (not verified)\n${list(
      result.assumptions.map(
        ({ label, info_id: id, assumed_value: value, confidence, reasoning }) =>
          `${label} ${id}: ${value} (confidence ${toPercent(confidence)}%; ${reasoning})`,
      ),
    )}`,
    `### Information gaps\n${list(result.information_gaps.map(({ description, impact, reason }) => `${description} (impact: ${impact || 'unknown'}; ${reason})`))}`,
    `### Recommendations\n${list(result.recommendations_for_planning)}`,
  ].join('\n\n');
}

function formatCollected(
  { collected_information: collected }: PrePlanningResult,
  { maxChars, wrap }: Required<PlanningBlockOptions>,
): string {
  const items = Object.entries(collected).flatMap(([category, entries]) =>
    Object.entries(entries ?? {}).map(([id, text]) => ({ name: `${category}, ${id}`, text })),
  );
  const each = shareOut(
    items.map(({ text }) => text.length),
    maxChars,
  );
  return items.map(({ name, text }) => wrap(fitStart(text, each), madeBy(name))).join('\n') || 'none';
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

function join(items: readonly string[]): string {
  return items.map(toLine).join('; ') || 'none';
}

function list(items: readonly string[]): string {
  return items.map((item) => `- ${toLine(item)}`).join('\n') || 'none';
}

/** What a model wrote stays an item of its list. */
function toLine(text: string): string {
  return fitStart(text.replace(/\s+/g, ' ').trim(), 2_000);
}
