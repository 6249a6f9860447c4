import type { RunState } from '@agent/run-store';
import { readFollowUp } from '../follow-up/follow-up-record.ts';
import type { RunCost } from '../report/final-comment.ts';
import type { Run } from '../run/run.ts';
import { type RunOnDisk, readRunStatistics } from '../run/run-ending.ts';
import type { StatusState } from '../run/status-comment.ts';
import type { ProgressView } from './format-progress.ts';
import type { Pulse } from './pulse.ts';
import { findWait, formatVitals, type RunUse, type VitalsOptions } from './vitals.ts';

/** A run that pays for its models. */
export type PaidRun = Pick<Run, 'uuid' | 'facts' | 'thread' | 'logger'>;

/** Services that vitals are read with. */
export interface ReadVitalsOptions extends Omit<VitalsOptions, 'locale'> {
  /** Reads what a run has cost; null where nothing costs anything, or that cannot be asked now. */
  readonly readCost: (run: PaidRun) => Promise<RunCost | null>;
  /** Counts the changes without which a waiting run does not continue. Default none. */
  readonly countHeld?: ((state: Pick<RunState, 'read'>) => Promise<number>) | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** A run of which the vitals are read. */
export interface VitalRun extends PaidRun, RunOnDisk {
  readonly pulse: Pick<Pulse, 'read'>;
}

/** Reads and formats the vitals of a run in a state, beside what is shown of it. Never rejects. */
export async function readVitals(
  run: VitalRun,
  {
    state,
    view,
    readCost,
    now,
    countHeld,
    ...words
  }: ReadVitalsOptions & { readonly state: StatusState; readonly view: Pick<ProgressView, 'plan'> },
): Promise<string> {
  if (state === 'ended') return '';
  const { facts, pulse } = run;
  const watchedUntil = state === 'watching' ? await readDeadline(run) : null;
  const held = state === 'paused' ? await readHeldCount(run, { countHeld }) : 0;
  const wait = findWait({ state, plan: view.plan, pulse: pulse.read(), watchedUntil, held });
  const giver = facts.handover?.by.login ?? null;
  const [use, cost] = await Promise.all([readUse(run), readCost(run)]);
  return formatVitals({ state, use, cost, giver, wait, now: now() }, { ...words, locale: facts.locale });
}

/** Null for a record that cannot be read now, as of a run that waits. */
async function readUse(run: VitalRun): Promise<RunUse | null> {
  try {
    return await readRunStatistics(run);
  } catch (err) {
    run.logger.debug({ err }, 'failed to read model usage; omitting it from status comment');
    return null;
  }
}

/** 0 if that cannot be read now. */
async function readHeldCount(
  { state, logger }: VitalRun,
  { countHeld = async () => 0 }: Pick<ReadVitalsOptions, 'countHeld'>,
): Promise<number> {
  try {
    return await countHeld(state);
  } catch (err) {
    logger.debug({ err }, 'failed to read held changes; omitting them from status comment');
    return 0;
  }
}

async function readDeadline({ state, logger }: VitalRun): Promise<string | null> {
  try {
    return (await readFollowUp(state))?.deadline ?? null;
  } catch (err) {
    logger.debug({ err }, 'failed to read follow-up deadline; omitting it from status comment');
    return null;
  }
}
