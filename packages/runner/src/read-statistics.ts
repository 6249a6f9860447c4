import type { RunStatistics } from './model.ts';
import type { RunJournal } from './ports.ts';
import { readEntries } from './read-entries.ts';
import { replayJournal } from './replay-journal.ts';
import { Tally } from './tally.ts';

/** Options of the statistics of a journal. */
export interface ReadStatisticsOptions {
  /** What a run has cost whose conversation is not opened yet; default nothing. Afterwards the journal says it. */
  readonly beforeOpening?: RunStatistics | undefined;
}

/** What a run has cost so far, by its journal alone: for whoever ends a run that another process carried. */
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
