import { join } from 'node:path';
import type { Logger } from '@agent/text';
import { isRunDirectory, isUuid } from '../file/run-directory.ts';
import { translated } from '../file/run-errors.ts';
import { type RunPlaces, type RunPlacesOptions, toRunPlaces } from '../file/run-places.ts';
import type { ExpiringRun, ExpiryFiles } from './expiry-files.ts';
import type { TaskIndex } from './indexed-run.ts';
import { removeIfThere, removeLeftovers } from './remove-run-directory.ts';

/** Options of the removal of runs that have expired. */
export interface CleanUpOptions extends RunPlacesOptions {
  readonly index: Pick<TaskIndex, 'remove'>;
  readonly expiry: Pick<ExpiryFiles, 'listExpired' | 'forget'>;
  readonly now: Date;
  /** @see toKeepDays */
  readonly keepDays: number;
  /** Silent by default. */
  readonly logger?: Logger | null | undefined;
}

/**
 * Removes the runs that ended too long ago, their directories first; safe to repeat after a crash. Resolves with
 * their uuids. What is running or paused under such a name stays. Only the owner of the directory may call this.
 * @see seed 002 §8.2
 */
export function cleanUpRuns(options: CleanUpOptions): Promise<readonly string[]> {
  const places = toRunPlaces(options);
  return translated(cleanUp(places, options), `clean up "${places.completed}"`);
}

async function cleanUp(places: RunPlaces, options: CleanUpOptions): Promise<readonly string[]> {
  const { index, expiry, now, keepDays, logger } = options;
  await removeLeftovers(places.completed);
  const removed: string[] = [];
  for (const { day, runs } of await expiry.listExpired(now, { keepDays })) {
    let kept = 0;
    for (const run of runs.filter(({ uuid }) => isUuid(uuid))) {
      if (await isInUse(run, places)) {
        kept += 1;
        continue;
      }
      if (await removeIfThere(join(places.completed, run.uuid))) removed.push(run.uuid);
      await index.remove(run, run.uuid);
    }
    if (kept === 0) await expiry.forget(day);
  }
  if (removed.length > 0)
    logger?.info({ runs: removed.length, keepDays }, 'removed runs that ended too long ago');
  return removed;
}

async function isInUse({ uuid }: ExpiringRun, { running, paused }: RunPlaces): Promise<boolean> {
  return (await isRunDirectory(join(running, uuid))) || (await isRunDirectory(join(paused, uuid)));
}
