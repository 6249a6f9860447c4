import {
  type RecordDamageFixture,
  type RunStoreCase,
  type RunStoreContractOptions,
  type RunStoreTest,
  toTests,
} from './contract.ts';
import { damageCases } from './damage-cases.ts';
import { journalCases } from './journal-cases.ts';
import { lifeCases } from './life-cases.ts';
import { outboxCases } from './outbox-cases.ts';
import { ownershipCases } from './ownership-cases.ts';
import { pastCases } from './past-cases.ts';
import { stateCases } from './state-cases.ts';

/** Every promise of a store of runs. */
const runStoreCases: readonly RunStoreCase[] = [
  ...journalCases,
  ...stateCases,
  ...outboxCases,
  ...lifeCases,
  ...pastCases,
  ...ownershipCases,
];

/**
 * The tests that every store of runs passes, wherever it keeps them; for any test runner.
 *
 * @example
 * const create = async () => ({ start: () => startProcess(place), close: () => place.drop() });
 * for (const { name, run } of runStoreContract({ create })) it(name, run);
 */
export function runStoreContract(options: RunStoreContractOptions): readonly RunStoreTest[] {
  return toTests(runStoreCases, options);
}

/** The tests that a store passes besides, whose medium can lose or change what was written. */
export function recordDamageContract(
  options: RunStoreContractOptions<RecordDamageFixture>,
): readonly RunStoreTest[] {
  return toTests(damageCases, options);
}
