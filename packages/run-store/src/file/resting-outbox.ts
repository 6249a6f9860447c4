import type { Json } from '../journal-model.ts';
import type { RunPlaces } from '../places.ts';
import type { Outbox } from '../ports.ts';
import { intentFacts, isUnknownIntent, requireIntent, toSettled } from '../record/outbox-ledger.ts';
import { readRunFacts } from '../record/run-record.ts';
import { findRun } from './list-runs.ts';
import type { RunOpener } from './run-opener.ts';

/** The outbox of a run, looked for anew each time: one that waits may be moved by whoever resumes it. */
export function openOutboxOf(
  uuid: string,
  { places, append }: { readonly places: RunPlaces; readonly append: RunOpener<unknown>['appendFact'] },
): Outbox {
  const read = async () => {
    const { directory } = await findRun(places, uuid);
    return { directory, ledger: (await readRunFacts(directory)).outbox };
  };
  return {
    open: async (intent) => {
      const data: Json = { ...requireIntent(intent) };
      const { directory, ledger } = await read();
      if (ledger.find(intent.id) === undefined) await append(directory, { name: intentFacts.opened, data });
    },
    settle: async (id, result) => {
      const data = toSettled(id, result);
      const { directory, ledger } = await read();
      const entry = ledger.find(id);
      if (entry === undefined) throw isUnknownIntent(id);
      if (entry.state === 'open') await append(directory, { name: intentFacts.settled, data });
    },
    list: async () => (await read()).ledger.list(),
  };
}
