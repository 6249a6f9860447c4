import type { SourceChange } from '@agent/simulators/plants';
import type { Household } from './draw-households.ts';

/** A fault in our sources that the checker of the households has to find. */
export interface MoneyPlant {
  readonly name: string;
  readonly changes: readonly SourceChange[];
  /** Number of the household that shows it, of those in this place. */
  readonly only: number;
  readonly place: Household['place'];
  /** Words of what is found. */
  readonly says: RegExp;
}

/** Faults, each in one of the households. */
export const moneyPlants: readonly MoneyPlant[] = [
  {
    name: 'spends without reserving',
    changes: [
      {
        find: 'if (spending === null || isFree(price)) return async () => {};',
        replace: 'if (spending !== null || isFree(price)) return async () => {};',
      },
    ],
    ...{ only: 2, place: 'files' },
    says: /was billed \d+ of \d+ for the/u,
  },
  {
    name: 'reserves nothing',
    changes: [
      {
        find: 'const settle = await spending.reserve(most, { signal });',
        replace: 'const settle = await spending.reserve(0, { signal });',
      },
    ],
    ...{ only: 0, place: 'files' },
    says: /was billed \d+, and says/u,
  },
  {
    name: 'settles twice',
    changes: [
      {
        find: 'return (cost) => ledger.settle(id, cost);',
        replace: 'return (cost) => ledger.settle(id, { ...cost, micros: 2 * cost.micros });',
      },
    ],
    ...{ only: 1, place: 'postgres' },
    says: /was billed \d+, and says/u,
  },
  {
    name: 'does not say what it cost',
    changes: [
      {
        find: 'const cost = formatMoney(micros, currency);\n  return presumedMicros',
        replace: 'const cost = formatMoney(0, currency);\n  return presumedMicros',
      },
    ],
    ...{ only: 1, place: 'files' },
    says: /and does not say so/u,
  },
];
