import { ContextStoreError, type PausedRun, type UnfinishedRun } from '@agent/run-store';
import { endCommandsOf } from '@agent/workspace';
import { activateRun } from './activate-run.ts';
import { finishRun } from './conclude.ts';
import { confirmRepository, OtherRepositoryError } from './confirm-repository.ts';
import { executeRun } from './execute.ts';
import { pauseRun } from './pause.ts';
import { reportDamage } from './report-damage.ts';
import type { ActiveRun, ConfiguredPlatform, RunParts } from './run.ts';

/**
 * Goes on with a run that an earlier process left. One that has its outcome only gets what follows from it; any
 * other goes on from its journal.
 */
export async function resumeRun(
  parts: RunParts,
  left: { readonly unfinished: UnfinishedRun; readonly platform: ConfiguredPlatform },
): Promise<void> {
  const { unfinished, platform } = left;
  const open = await parts.store.restore(unfinished.uuid).catch(async (error: unknown) => {
    if (isDamage(error)) await reportDamage(parts, left, error);
    throw error;
  });
  const run = activateRun(parts, { open, platform });
  run.logger.info({ ended: unfinished.outcome !== null }, 'resuming a run that was left unfinished');
  if (unfinished.outcome !== null) {
    await confirmStillThere(run);
    return finishRun(parts, run, unfinished.outcome);
  }
  await endCommandsOf(run.uuid);
  return executeRun(parts, run, null);
}

/** Ends a pause that a crash cut short: it is committed, but perhaps nobody was told and nothing was moved. */
export async function finishPause(
  parts: RunParts,
  left: { readonly pausing: PausedRun; readonly platform: ConfiguredPlatform },
): Promise<void> {
  const open = await parts.store.restore(left.pausing.uuid);
  await pauseRun(parts, activateRun(parts, { open, platform: left.platform }), null);
}

/** What cannot be asked now is asked again by what follows; another repository at the same place hears nothing of the run. */
async function confirmStillThere(run: ActiveRun): Promise<void> {
  try {
    await confirmRepository(run);
  } catch (error) {
    if (error instanceof OtherRepositoryError) throw error;
    run.logger.warn({ err: error }, 'the repository of a run that ended cannot be asked');
  }
}

function isDamage(error: unknown): error is ContextStoreError {
  return error instanceof ContextStoreError && error.code === 'damaged';
}
