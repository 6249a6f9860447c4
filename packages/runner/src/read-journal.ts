import { estimateTokens } from '@agent/text';
import { checkOptions, type ExpectationsOf, expected, expectNumber } from '@agent/text/options';
import type { ModelMessage } from 'ai';
import { listOpenCalls } from './conversation.ts';
import type { RunStatistics } from './model.ts';
import type { RunJournal } from './ports.ts';
import { readEntries, replayJournal } from './replay-journal.ts';
import { fitRecord, formatRecord } from './request-summary.ts';
import { toInterruptedResult } from './run-tool-calls.ts';
import { Tally } from './tally.ts';

/** Options of the record of a run. */
export interface RunRecordOptions {
  readonly maxTokens: number;
  /** Default an estimate from classes of characters, a fifth too high. */
  readonly countTokens?: ((text: string) => number) | undefined;
}

const recordExpectations: ExpectationsOf<RunRecordOptions> = {
  maxTokens: expectNumber(0),
  countTokens: expected.function,
};

/**
 * Record of what was said and done in a run, as one text for whoever summarizes it: without the system's prompt, and with
 * summaries in the place of what the model itself saw only as such. Made to fit as a compression's record is: long
 * messages lose their middle, then the oldest are left out, but never the first. Null for a run that never began.
 */
export async function readRunRecord(
  journal: Pick<RunJournal, 'read'>,
  options: RunRecordOptions,
): Promise<string | null> {
  checkOptions('RunRecordOptions', options, recordExpectations, ['maxTokens']);
  const { maxTokens, countTokens = estimateTokens } = options;
  const replayed = replayJournal(await readEntries(journal));
  if (replayed === null) return null;
  const records = replayed.context.map(({ message }) => formatRecord(message));
  return fitRecord(records, { maxTokens, countTokens });
}

/**
 * Reads what the model of a run saw last, without the system's prompt: messages to open another run's conversation with,
 * each call with a result. Empty for a run that never began.
 */
export async function readConversation(journal: Pick<RunJournal, 'read'>): Promise<readonly ModelMessage[]> {
  const replayed = replayJournal(await readEntries(journal));
  const messages = (replayed?.context ?? []).map(({ message }) => message);
  return [...messages, ...listOpenCalls(messages).map(toInterruptedResult)];
}

/** Options of the statistics of a journal. */
export interface ReadStatisticsOptions {
  /** Cost of a run whose conversation is not opened yet; default nothing. Afterwards the journal says it. */
  readonly beforeOpening?: RunStatistics | undefined;
}

/** Reads what a run has cost so far, by its journal alone: for whoever ends a run that another process carried. */
export async function readStatistics(
  journal: Pick<RunJournal, 'read'>,
  { beforeOpening }: ReadStatisticsOptions = {},
): Promise<RunStatistics> {
  const tally = new Tally(() => 0);
  const replayed = replayJournal(await readEntries(journal));
  if (replayed === null && beforeOpening !== undefined) return beforeOpening;
  if (replayed !== null) tally.countReplayed(replayed);
  return tally.statistics();
}
