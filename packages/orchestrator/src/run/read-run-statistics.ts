import { type RunStatistics, readStatistics } from '@agent/runner';
import { toCostStatistics } from '../pre-plan/metering.ts';
import { readPrePlanningCost } from '../pre-plan/pre-planning-files.ts';
import type { Run } from './run.ts';

/** A run, as far as its files go. */
export interface RunOnDisk extends Pick<Run, 'state' | 'logger'> {
  readonly journal: Pick<Run['journal'], 'read'>;
}

/**
 * Reads what a run has cost so far: what its journal says, and of one whose conversation was never opened, what getting it
 * ready has cost.
 */
export async function readRunStatistics({ journal, state, logger }: RunOnDisk): Promise<RunStatistics> {
  const beforeOpening = toCostStatistics(await readPrePlanningCost(state, logger));
  return readStatistics(journal, { beforeOpening });
}
