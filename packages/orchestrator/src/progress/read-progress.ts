import type { RunJournal, RunState } from '@agent/run-store';
import type { ModelMessage } from 'ai';
import type { RunLogger } from '../host/ports.ts';
import { readRunPlan } from '../plan/plan-mode.ts';
import { readKeptPrePlanning } from '../plan/pre-planning-files.ts';
import type { ProgressView } from './format-progress.ts';

export interface ProgressRecord {
  readonly state: Pick<RunState, 'read'>;
  readonly journal: Pick<RunJournal<ModelMessage>, 'read'>;
  readonly logger: RunLogger;
}

/** Reads what people are shown of a run, as its record stands now. Never rejects: what cannot be read stays as it was last. */
export type ReadProgress = () => Promise<ProgressView>;

/** Creates it. */
export function createReadProgress({ state, journal, logger }: ProgressRecord): ReadProgress {
  let last: ProgressView = { prePlanning: null, hasBegun: false, plan: null };
  const read = async (): Promise<ProgressView> => {
    const hasBegun = last.hasBegun || (await holdsMessage(journal));
    const prePlanning = (await readPrePlanning({ state, logger })) ?? last.prePlanning;
    return { prePlanning, hasBegun, plan: (await readRunPlan({ state, journal })) ?? last.plan };
  };
  return async () => {
    try {
      last = await read();
    } catch (error) {
      logger.warn({ err: error }, 'failed to read run progress; keeping progress comment unchanged');
    }
    return last;
  };
}

async function readPrePlanning({
  state,
  logger,
}: Pick<ProgressRecord, 'state' | 'logger'>): Promise<ProgressView['prePlanning']> {
  const kept = await readKeptPrePlanning(state, logger);
  if (kept === null) return null;
  const { readPrePlanningState } = await import('@agent/pre-planning');
  return readPrePlanningState(kept.state);
}

async function holdsMessage(journal: Pick<ProgressRecord['journal'], 'read'>): Promise<boolean> {
  for await (const entry of journal.read({ facts: [] })) if (entry.type === 'message') return true;
  return false;
}
