import { ContextStoreError } from '../context-store-error.ts';
import type { RunPlace } from '../file/list-runs.ts';
import type { RunStorage } from '../storage.ts';

/** A run whose record was verified. */
export interface CheckedRun {
  readonly uuid: string;
  readonly place: RunPlace;
  /** Fault of the record; null for a record as it was written. */
  readonly fault: string | null;
}

/**
 * Verifies the record of every run. Changes nothing, and works beside daemons.
 *
 * @example
 * for await (const { uuid, fault } of checkRuns(storage)) if (fault !== null) console.log(uuid, fault);
 */
export async function* checkRuns({
  transfer,
  location,
}: Pick<RunStorage, 'location' | 'transfer'>): AsyncGenerator<CheckedRun> {
  if (transfer === undefined)
    throw new ContextStoreError(`The runs in ${location} cannot be verified.`, { code: 'invalid' });
  for (const [uuid, place] of await transfer.listRuns()) {
    const fault = await transfer.openRun(uuid, place).findDamage();
    if (fault === null) yield { uuid, place, fault };
    else {
      // A daemon may have moved or deleted the run meanwhile.
      const latest = (await transfer.listRuns()).get(uuid);
      if (latest === place) yield { uuid, place, fault };
      else if (latest !== undefined)
        yield { uuid, place: latest, fault: await transfer.openRun(uuid, latest).findDamage() };
    }
  }
}
