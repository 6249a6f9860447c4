import { translated } from '../context-store-error.ts';
import { toJournalFiles } from '../places.ts';
import type { FinalSummaries } from '../ports.ts';
import { parseFact } from '../record/read-record.ts';
import { parseSummaryFact } from '../record/run-facts.ts';
import { readRunRecord } from '../record/run-record.ts';
import type { FinalSummaryState } from '../run-model.ts';
import type { StoredSummary, SummaryPlace } from './summary-line.ts';

/**
 * Tells whether the run in this directory has its final summary; null for a run without messages, or with those of an
 * earlier program, which cannot be read back.
 */
export function createFinalSummaryReader(directory: string): Pick<FinalSummaries, 'read'> {
  return { read: () => translated(readState(directory), `read the final summary in "${directory}"`) };
}

async function readState(directory: string): Promise<FinalSummaryState | null> {
  const { lastMessage, summaries, place } = await readMessages(directory);
  if (lastMessage === null || !isReadable(lastMessage)) return null;
  const final = summaries.filter(({ isFinal }) => isFinal);
  return {
    isThere: final.length > 0,
    isUpToDate: final.some(({ summary }) => summary.endSeq === place.afterSeq),
    usages: final.flatMap(({ summary }) => summary.usage ?? []),
  };
}

function isReadable(line: string): boolean {
  const { message } = JSON.parse(line) as { message?: unknown };
  return typeof message === 'object' && message !== null;
}

/** Place of a final summary of the run in this directory. */
export async function findSummaryPlace(directory: string): Promise<SummaryPlace> {
  return (await readMessages(directory)).place;
}

async function readMessages(directory: string) {
  const summaries: StoredSummary[] = [];
  const isWanted = (name: string | null) => name === null || name === 'summary';
  let lastMessage: string | null = null;
  let [messages, originalTokens] = [0, 0];
  for await (const lines of readRunRecord(toJournalFiles(directory), { isWanted })) {
    for (const { text, name } of lines) {
      if (name === null) {
        messages += 1;
        originalTokens += (JSON.parse(text) as { tokens?: number }).tokens ?? 0;
        lastMessage = text;
      } else summaries.push(parseSummaryFact(parseFact(text)));
    }
  }
  return { lastMessage, summaries, place: { id: summaries.length + 1, afterSeq: messages, originalTokens } };
}
