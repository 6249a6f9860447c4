import { ContextStoreError } from '../context-store-error.ts';
import type { RunPlace } from '../run-model.ts';
import type { RunStorage } from '../storage.ts';

/** A run whose records were verified. */
export interface CheckedRun {
  readonly uuid: string;
  readonly place: RunPlace;
  /** Each names a file or a row, what is wrong with it and what to do. */
  readonly faults: readonly string[];
}

/**
 * Verifies the records of every run. Changes nothing, and works beside daemons. What is stored beside runs is verified by `upkeep.verify`.
 *
 * @example
 * for await (const { uuid, faults } of checkRuns(storage)) if (faults.length > 0) console.log(uuid, faults);
 */
export async function* checkRuns({
  transfer,
  location,
}: Pick<RunStorage, 'location' | 'transfer'>): AsyncGenerator<CheckedRun> {
  if (transfer === undefined)
    throw new ContextStoreError(`The runs in ${location} cannot be verified.`, { code: 'invalid' });
  for (const [uuid, place] of await transfer.listRuns()) {
    const faults = await transfer.openRun(uuid, place).listFaults();
    if (faults.length === 0) yield { uuid, place, faults };
    else {
      // A daemon may have moved, changed or deleted the run meanwhile.
      const latest = (await transfer.listRuns()).get(uuid);
      if (latest !== undefined)
        yield { uuid, place: latest, faults: await transfer.openRun(uuid, latest).listFaults() };
    }
  }
}
