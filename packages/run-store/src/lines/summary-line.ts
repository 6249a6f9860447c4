import { parseJson, toRecord } from '@agent/text/json';
import { z } from 'zod';
import { readLastLines } from '../disk/lines.ts';
import { toCamelCase } from '../disk/stored-values.ts';
import type { RunSummary } from '../journal-model.ts';
import type { JsonObject, NewFinalSummary } from '../run-model.ts';
import { parseUsage, toUsageJson, usageShape } from './usage-json.ts';

const lineSchema = z.object({
  id: z.number().int().positive(),
  start_seq: z.number().int(),
  end_seq: z.number().int(),
  summary: z.string(),
  after_seq: z.number().int().nullish(),
  final: z.boolean().nullish(),
  usage: z.object(usageShape).nullish(),
});

/** A summary as it was written, with the last message that stood in the journal then. */
export interface StoredSummary {
  readonly id: number;
  readonly afterSeq: number;
  /** Written at the run's end, for later runs: it stands in the place of no message. */
  readonly isFinal: boolean;
  readonly summary: RunSummary;
}

/** Place of a summary in its run. */
export interface SummaryPlace {
  readonly id: number;
  readonly afterSeq: number;
  /** Tokens of the messages that the summary stands for. */
  readonly originalTokens: number;
}

/** A line of `summaries.jsonl` without its time. */
export function toSummaryLine(summary: RunSummary, options: SummaryPlace) {
  const summaryTokens = Math.ceil(summary.text.length / 4);
  const { originalTokens } = options;
  const { usage } = summary;
  return {
    id: options.id,
    start_seq: summary.startSeq,
    end_seq: summary.endSeq,
    summary: summary.text,
    original_tokens: originalTokens,
    summary_tokens: summaryTokens,
    ratio: originalTokens === 0 ? 0 : Math.round((summaryTokens / originalTokens) * 1000) / 1000,
    after_seq: options.afterSeq,
    ...(usage === undefined ? {} : { usage: toUsageJson(usage) }),
  };
}

/** The line of a final summary: it stands for every message that is there, and in the place of none. */
export function toFinalSummaryLine({ text, fields, usage }: NewFinalSummary, place: SummaryPlace) {
  const summary = { startSeq: 1, endSeq: place.afterSeq, text, usage };
  return { ...toSummaryLine(summary, place), final: true, ...fields };
}

/** Reads a line of `summaries.jsonl` back. @throws when it is no summary */
export function parseSummaryLine(json: unknown): StoredSummary {
  const { id, startSeq, endSeq, summary: text, afterSeq, final, usage } = toCamelCase(lineSchema.parse(json));
  const cost = usage ? { usage: parseUsage(usage) } : {};
  const summary = { startSeq, endSeq, text, ...cost };
  return { id, afterSeq: afterSeq ?? endSeq, isFinal: final === true, summary };
}

/** A crash tears one line; a few more may be somebody else's doing. */
const readableWithin = 8;

/** The last line of `summaries.jsonl` that can be read: what a crash tore does not hide what came before it. */
export async function readLastSummary(path: string): Promise<LastSummary> {
  return pickSummary(await readLastLines(path, readableWithin));
}

/** The last summary of a run; null where it has none. */
interface LastSummary {
  readonly summary: JsonObject | null;
  /** False where it says that a model failed. */
  readonly isUsable: boolean;
}

/** The last of these lines that can be read. */
export function pickSummary(lines: readonly string[]): LastSummary {
  for (const line of lines.toReversed()) {
    const summary = toRecord(parseJson(line)) as JsonObject | null;
    if (summary === null) continue;
    return { summary, isUsable: isUsable(summary) };
  }
  return { summary: null, isUsable: false };
}

function isUsable({ summary: text }: JsonObject): boolean {
  return typeof text === 'string' && text.trim() !== '' && !isFailedSummary(text);
}

/** Beginning of the text that the earlier program stored when its model failed. */
const failureMark = '[要約生成失敗';

/** Tells whether a text stands in the place of a summary that failed. */
function isFailedSummary(text: string): boolean {
  return text.trimStart().startsWith(failureMark);
}
