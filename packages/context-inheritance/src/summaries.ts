import { formatTime } from '@agent/text';
import { z } from 'zod';
import { answeredDecisionSchema } from './decisions/answered-decision.ts';
import type { KeyDecision } from './decisions/decision.ts';
import { parseDecisionLines } from './decisions/decision-line.ts';
import { shortenUuid } from './format-values.ts';

const lineSchema = z.object({
  summary: z.string(),
  key_decisions: z.array(z.unknown()).nullish().catch(null),
});

/** The newest summary of a run that is of use. */
export interface UsableSummary {
  readonly text: string;
  readonly keyDecisions: readonly KeyDecision[];
  /** Lines after it that could not be read or said nothing. */
  readonly skippedLines: number;
  /** Entries of its decisions that are in no known form. */
  readonly skippedDecisions: number;
}

/**
 * Finds the last usable line of `summaries.jsonl`; null when there is none. Decisions that the line names are taken
 * with their sources; a line of an earlier program has none, so they are read from its text. @see decision C11
 */
export function parseSummaries(lines: readonly string[], runUuid: string): UsableSummary | null {
  const idPrefix = shortenUuid(runUuid);
  for (const [skippedLines, line] of lines.toReversed().entries()) {
    const parsed = parseLine(line);
    if (parsed === null) continue;
    const text = parsed.summary.trim();
    const { decisions, skipped } = parseDecisionLines(parsed.key_decisions ?? findKeyDecisions(text), {
      idPrefix,
    });
    return { text, keyDecisions: decisions, skippedLines, skippedDecisions: skipped };
  }
  return null;
}

function parseLine(line: string): z.infer<typeof lineSchema> | null {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch {
    return null;
  }
  const parsed = lineSchema.safeParse(json);
  return parsed.success && isUsableSummary(parsed.data.summary) ? parsed.data : null;
}

/** Start of the text that an earlier program stored instead of a summary when its model failed. */
const failureMark = '[要約生成失敗';

/** False for an empty text, and for one that says that there is no summary. */
export function isUsableSummary(summary: string): boolean {
  return summary.trim() !== '' && !summary.trimStart().startsWith(failureMark);
}

const mostDecisions = 10;
const heading = /^ {0,3}#{1,6}\s+(\S.*)$/;
const bullet = /^\s{0,8}(?:[-*+・]|\d{1,3}[.)])\s*(\S.*)$/;
const decisionHeading = /決定|\b(?:key )?decisions?\b/i;
const decisionWord = /決定|\bdecided\b|\bmust\b/i;

/**
 * Finds decisions in a summary that does not name them: list items under a heading about decisions, and list items
 * elsewhere that speak of one. At most ten, in their order. @see seed 002 §4.2.1, decision C11
 */
export function findKeyDecisions(summary: string): readonly { readonly text: string }[] {
  const found = new Set<string>();
  let isUnderHeading = false;
  for (const line of summary.split(/\r\n|\r|\n/)) {
    const title = heading.exec(line)?.[1];
    if (title !== undefined) isUnderHeading = decisionHeading.test(title);
    const item = bullet.exec(line)?.[1]?.trim();
    const isDecision = item !== undefined && (isUnderHeading || decisionWord.test(item));
    if (isDecision) found.add(item);
    if (found.size === mostDecisions) break;
  }
  return [...found].map((text) => ({ text }));
}

/** A summary that can stand among others. */
export interface DatedSummary {
  readonly uuid: string;
  /** ISO 8601, UTC. */
  readonly completedAt: string;
  readonly summary: string;
}

/** One summary as it is; several, newest first, each under a heading with its run and date. @see decision C2 */
export function combineSummaries(summaries: readonly DatedSummary[], timeZone = 'UTC'): string {
  const [only] = summaries;
  if (only === undefined) return '';
  if (summaries.length === 1) return only.summary;
  return summaries
    .map(({ uuid, completedAt, summary }) => {
      return `#### #${shortenUuid(uuid)} (${formatTime(completedAt, timeZone)})\n${summary}`;
    })
    .join('\n\n');
}

/**
 * The answer that a model is asked for at a run's end. A decision in another form is left out, so that it does not cost
 * the summary. @see seed 002 §4.4.2, decision C11
 *
 * @example
 * finalSummarySchema.parse({ summary: 'Rounded once.', key_decisions: ['round at the end'] });
 * // { summary: 'Rounded once.', key_decisions: [{ text: 'round at the end', source: null, … }] }
 */
export const finalSummarySchema = z.object({
  summary: z.string().trim().min(1),
  key_decisions: z
    .array(z.unknown())
    .nullish()
    .catch(null)
    .transform((decisions) =>
      (decisions ?? []).flatMap((one) => answeredDecisionSchema.safeParse(one).data ?? []),
    ),
});

/** A model's final summary, parsed. */
export type FinalSummary = z.infer<typeof finalSummarySchema>;
