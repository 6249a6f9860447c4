import type { RunStorage } from '@agent/run-store';
import { nameRunAccount } from './payer.ts';

/**
 * Reads from the ledger what all calls of runs have cost, in millionths of the currency, by uuid. A run without an entry has made no call that is
 * paid, or ended so long ago that the ledger has forgotten it.
 */
export async function readRunCosts(
  accounts: RunStorage['accounts'] | null,
  uuids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const names = new Map(uuids.map((uuid) => [nameRunAccount(uuid), uuid]));
  const found = accounts == null || names.size === 0 ? [] : await accounts.list([...names.keys()]);
  return new Map(found.map(({ name, spentMicros }) => [names.get(name) ?? name, spentMicros]));
}
