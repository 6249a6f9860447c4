import { estimateTokens } from '@agent/text';
import type { RunJournal } from './ports.ts';
import { readEntries } from './read-entries.ts';
import { replayJournal } from './replay-journal.ts';
import { fitRecord, formatRecord } from './summary-prompt.ts';

/** Options of the record of a run. */
export interface RunRecordOptions {
  readonly maxTokens: number;
  /** Default an estimate from classes of characters, a fifth too high. */
  readonly countTokens?: ((text: string) => number) | undefined;
}

/**
 * What was said and done in a run, as one text for whoever summarizes it: without the system's prompt, and with
 * summaries in the place of what the model itself saw only as such. Made to fit as a compression's record is: long
 * messages lose their middle, then the oldest are left out, but never the first. Null for a run that never began.
 */
export async function readRunRecord(
  journal: Pick<RunJournal, 'read'>,
  { maxTokens, countTokens = estimateTokens }: RunRecordOptions,
): Promise<string | null> {
  const replayed = replayJournal(await readEntries(journal));
  if (replayed === null) return null;
  const records = replayed.context.map(({ message }) => formatRecord(message));
  return fitRecord(records, { maxTokens, countTokens });
}
