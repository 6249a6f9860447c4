import { writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { ContextStoreError, translated } from '../context-store-error.ts';
import { privateFile } from '../disk/files.ts';
import { dropTornLine, readLastLines, readLines } from '../disk/lines.ts';
import type { RunSummary } from '../journal-model.ts';
import { toJournalFiles } from '../places.ts';
import type { FinalSummaries } from '../ports.ts';
import type { FinalSummaryState, Json, JsonObject, NewFinalSummary } from '../run-model.ts';

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
function parseSummaryLine(
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

/**
 * Whether the run in this directory has its final summary; null for a run without messages, or with those of an
 * earlier program, which cannot be read back. Reads no more of the messages than the end.
 */
export function readFinalSummaryState(directory: string): Promise<FinalSummaryState | null> {
  return translated(readState(directory), `read the final summary in "${directory}"`);
}

/**
 * Appends the final summary, synced: it stands for every message that is there, and in the place of none, so that
 * the conversation can go on after it. Only the owner of the directory may call this, when nothing else is written.
 */
export function appendFinalSummary(
  directory: string,
  summary: NewFinalSummary,
  options: { readonly now: number },
): Promise<void> {
  return translated(append(directory, summary, options), `write the final summary in "${directory}"`);
}

/** The final summary of the run in this directory. */
export function createFinalSummaries(directory: string): FinalSummaries {
  return {
    read: () => readFinalSummaryState(directory),
    append: (summary, options) => appendFinalSummary(directory, summary, options),
  };
}

const lastMessageSchema = z.object({ seq: z.number().int().positive(), message: z.looseObject({}) });

const tokensSchema = z.object({ tokens: z.number().nonnegative() });

async function readState(directory: string): Promise<FinalSummaryState | null> {
  const files = toJournalFiles(directory);
  const [lastLine] = await readLastLines(files.messages, 1);
  const last = lastMessageSchema.safeParse(parseOrNull(lastLine));
  if (!last.success) return null;
  const summaries = await readFinal(files.summaries);
  return {
    isThere: summaries.length > 0,
    isUpToDate: summaries.some(({ summary }) => summary.endSeq === last.data.seq),
    usages: summaries.flatMap(({ summary }) => summary.usage ?? []),
  };
}

/** A line that is torn, or no summary, is left to whoever opens the journal. */
async function readFinal(path: string) {
  const lines = await readLastLines(path, Number.POSITIVE_INFINITY);
  const summaries = lines.flatMap((line, index) => {
    try {
      return [parseSummaryLine(JSON.parse(line), { path, line: index + 1 })];
    } catch {
      return [];
    }
  });
  return summaries.filter(({ isFinal }) => isFinal);
}

async function append(
  directory: string,
  { text, fields, usage }: NewFinalSummary,
  { now }: { readonly now: number },
): Promise<void> {
  const { messages, summaries: path } = toJournalFiles(directory);
  await writeFile(path, '', { flag: 'a', mode: privateFile });
  await dropTornLine(path);
  const [endSeq, originalTokens] = await measureMessages(messages);
  const line = toSummaryLine(
    { startSeq: 1, endSeq, text, usage },
    {
      id: (await countLines(path)) + 1,
      afterSeq: endSeq,
      originalTokens,
      timestamp: new Date(now).toISOString(),
    },
  );
  const written = `${JSON.stringify({ ...line, final: true, ...fields })}\n`;
  await writeFile(path, written, { flag: 'a', mode: privateFile, flush: true });
}

async function measureMessages(path: string): Promise<readonly [count: number, tokens: number]> {
  let [count, sum] = [0, 0];
  for await (const { value } of readLines(path)) {
    count += 1;
    const parsed = tokensSchema.safeParse(value);
    if (parsed.success) sum += parsed.data.tokens;
  }
  return [count, sum];
}

async function countLines(path: string): Promise<number> {
  return (await readLastLines(path, Number.POSITIVE_INFINITY)).length;
}

function parseOrNull(line: string | undefined): unknown {
  try {
    return line === undefined ? null : JSON.parse(line);
  } catch {
    return null;
  }
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

/** What the earlier program stored when its model failed. */
const failureMark = '[要約生成失敗';

/** Whether a text stands where a summary should, and is none. */
export function isFailedSummary(text: string): boolean {
  return text.trimStart().startsWith(failureMark);
}
