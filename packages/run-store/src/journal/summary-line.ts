import { z } from 'zod';
import { ContextStoreError } from '../context-store-error.ts';
import { readLastLines, readLines } from '../disk/lines.ts';
import type { RunSummary } from '../journal-model.ts';
import type { Json, JsonObject } from '../run-model.ts';

const lineSchema = z.object({
  id: z.number().int().positive(),
  start_seq: z.number().int(),
  end_seq: z.number().int(),
  summary: z.string(),
  after_seq: z.number().int().nullish(),
  final: z.boolean().nullish(),
  usage: z.object({ input_tokens: z.number(), output_tokens: z.number() }).nullish(),
});

/** A summary as it was written, with the last message that stood in the journal then. */
interface StoredSummary {
  readonly id: number;
  readonly afterSeq: number;
  /** Written at the run's end, for later runs: it stands in the place of no message. */
  readonly isFinal: boolean;
  readonly summary: RunSummary;
}

interface SummaryLineOptions {
  readonly id: number;
  readonly afterSeq: number;
  /** Tokens of the messages that the summary stands for. */
  readonly originalTokens: number;
  readonly timestamp: string;
}

/** A line of `summaries.jsonl`. */
export function toSummaryLine(summary: RunSummary, options: SummaryLineOptions) {
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
    timestamp: options.timestamp,
    after_seq: options.afterSeq,
    ...(usage === undefined
      ? {}
      : { usage: { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens } }),
  };
}

/**
 * Reads a line of `summaries.jsonl` back.
 * @throws {ContextStoreError} `damaged`, naming the line
 */
export function parseSummaryLine(
  json: unknown,
  place: { readonly path: string; readonly line: number },
): StoredSummary {
  const parsed = lineSchema.safeParse(json);
  if (!parsed.success) {
    const message = `Line ${place.line} of "${place.path}" is not a summary. Put the file back from a copy, or move the run's directory away.`;
    throw new ContextStoreError(message, { code: 'damaged', cause: parsed.error });
  }
  const { id, start_seq: startSeq, end_seq: endSeq, summary: text, after_seq, final, usage } = parsed.data;
  const cost = usage ? { usage: { inputTokens: usage.input_tokens, outputTokens: usage.output_tokens } } : {};
  return {
    id,
    afterSeq: after_seq ?? endSeq,
    isFinal: final === true,
    summary: { startSeq, endSeq, text, ...cost },
  };
}

/** The lines of `summaries.jsonl`, oldest first. */
export async function readSummaries(path: string): Promise<StoredSummary[]> {
  const summaries: StoredSummary[] = [];
  for await (const { value, line } of readLines(path))
    summaries.push(parseSummaryLine(value, { path, line }));
  return summaries;
}

/** A crash tears one line; a few more may be somebody else's doing. */
const readableWithin = 8;

/** The last line of `summaries.jsonl` that can be read: what a crash tore does not hide what came before it. */
export async function readLastSummary(
  path: string,
): Promise<{ readonly summary: JsonObject | null; readonly isUsable: boolean }> {
  for (const line of (await readLastLines(path, readableWithin)).toReversed()) {
    const value = parseJson(line);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) continue;
    const summary = value as JsonObject;
    return { summary, isUsable: isUsable(summary) };
  }
  return { summary: null, isUsable: false };
}

function isUsable({ summary: text }: JsonObject): boolean {
  return typeof text === 'string' && text.trim() !== '' && !isFailedSummary(text);
}

function parseJson(line: string): Json {
  try {
    return JSON.parse(line) as Json;
  } catch {
    return null;
  }
}

/** Beginning of the text that the earlier program stored when its model failed. */
const failureMark = '[要約生成失敗';

/** Tells whether a text stands in the place of a summary that failed. */
export function isFailedSummary(text: string): boolean {
  return text.trimStart().startsWith(failureMark);
}
