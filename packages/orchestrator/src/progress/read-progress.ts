import type { FileRunJournal, RunState } from '@agent/run-store';
import type { Locale } from '@agent/text';
import type { ModelMessage } from 'ai';
import { readRunPlan } from '../plan/plan-mode.ts';
import type { RunLogger } from '../ports.ts';
import { readKeptPrePlanning } from '../pre-plan/pre-planning-files.ts';
import { formatProgress, type ProgressOptions, type ProgressView } from './format-progress.ts';

export interface ProgressRecord {
  readonly state: Pick<RunState, 'read'>;
  readonly journal: Pick<FileRunJournal<ModelMessage>, 'read'>;
  readonly logger: RunLogger;
  readonly locale: Locale;
}

/** Formats the sections of a run's comment, as its record stands now. Never rejects: what cannot be read is shown as it was last. */
export type ReadProgress = (shown: { readonly isOver: boolean }) => Promise<string>;

/** Creates it. */
export function createReadProgress(
  { state, journal, locale, logger }: ProgressRecord,
  words: Pick<ProgressOptions, 'redactOutgoing' | 'maxRounds' | 'timeZone'>,
): ReadProgress {
  let last: ProgressView = { prePlanning: null, hasBegun: false, plan: null };
  const read = async (): Promise<ProgressView> => {
    const hasBegun = last.hasBegun || (await holdsMessage(journal));
    const prePlanning = (await readPrePlanning({ state, logger })) ?? last.prePlanning;
    return { prePlanning, hasBegun, plan: (await readRunPlan({ state, journal })) ?? last.plan };
  };
  return async ({ isOver }) => {
    try {
      last = await read();
    } catch (error) {
      logger.warn({ err: error }, 'the progress of the run cannot be read; its comment stays as it is');
    }
    return formatProgress(last, { ...words, locale, isOver });
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
  for await (const entry of journal.read()) if (entry.type === 'message') return true;
  return false;
}
