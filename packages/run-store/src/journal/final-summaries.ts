import { writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { translated } from '../context-store-error.ts';
import { privateFile } from '../disk/files.ts';
import { dropTornLine, readLastLines } from '../disk/lines.ts';
import { toJournalFiles } from '../places.ts';
import type { FinalSummaries } from '../ports.ts';
import { findFactName, readRecord } from '../record/read-record.ts';
import type { FinalSummaryState, NewFinalSummary } from '../run-model.ts';
import { parseSummaryLine, toSummaryLine } from './summary-line.ts';

/**
 * Tells whether the run in this directory has its final summary; null for a run without messages, or with those of an
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
  const last = lastMessageSchema.safeParse(await readLastMessage(files.messages));
  if (!last.success) return null;
  const summaries = await readFinal(files.summaries);
  return {
    isThere: summaries.length > 0,
    isUpToDate: summaries.some(({ summary }) => summary.endSeq === last.data.seq),
    usages: summaries.flatMap(({ summary }) => summary.usage ?? []),
  };
}

/** Behind the last message stand some facts, such as what became of the intents of a run that ended. */
const linesAtEnd = 64;

async function readLastMessage(path: string): Promise<unknown> {
  for (const limit of [linesAtEnd, Number.POSITIVE_INFINITY]) {
    const lines = await readLastLines(path, limit);
    const last = lines.findLast((line) => !line.startsWith('{"fact":'));
    if (last !== undefined || lines.length < limit) return parseOrNull(last);
  }
  return null;
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
  for await (const { text } of readRecord(path)) {
    if (findFactName(text) !== null) continue;
    count += 1;
    const parsed = tokensSchema.safeParse(JSON.parse(text));
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
