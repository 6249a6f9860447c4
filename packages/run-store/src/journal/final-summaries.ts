import { translated } from '../context-store-error.ts';
import type { StoredSummary, SummaryPlace } from '../lines/summary-line.ts';
import type { FinalSummaries } from '../ports.ts';
import { parseFact } from '../record/read-record.ts';
import { parseSummaryFact } from '../record/run-facts.ts';
import type { RecordSource } from '../record/run-record.ts';
import type { FinalSummaryState } from '../run-model.ts';

/**
 * Tells whether the run of this record has its final summary; null for a run without messages, or with those of an
 * earlier program, which cannot be read back.
 */
export function createFinalSummaryReader(record: RecordSource): Pick<FinalSummaries, 'read'> {
  return { read: () => translated(readState(record), `read the final summary in "${record.location}"`) };
}

async function readState(record: RecordSource): Promise<FinalSummaryState | null> {
  const { lastMessage, summaries, place } = await readMessages(record);
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

/** Place of a final summary of the run of this record. */
export async function findSummaryPlace(record: RecordSource): Promise<SummaryPlace> {
  return (await readMessages(record)).place;
}

async function readMessages({ readLines }: RecordSource) {
  const summaries: StoredSummary[] = [];
  const isWanted = (name: string | null) => name === null || name === 'summary';
  let lastMessage: string | null = null;
  let [messages, originalTokens] = [0, 0];
  for await (const lines of readLines({ isWanted })) {
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
