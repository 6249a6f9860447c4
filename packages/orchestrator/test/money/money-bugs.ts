import type { SeededBug } from '@agent/simulators/trials';
import { drawHousehold, type Household } from './draw-household.ts';

/** Trials in this place from this seed on. */
const from = (seed: number, place: Household['place']) => () =>
  [seed, seed + 5, seed + 10].map((one) => drawHousehold(one, { place }));

/** Faults that the judge of the households has to find. */
export const moneyBugs: readonly SeededBug<Household>[] = [
  {
    name: 'spends-without-reserving',
    does: 'calls a model without reserving its cost',
    changes: [
      {
        find: 'if (spending === null || isFree(price)) return async () => {};',
        replace: 'if (spending !== null || isFree(price)) return async () => {};',
      },
    ],
    trials: from(2, 'files'),
    finds: [/was billed \d+ of \d+ for the/u],
  },
  {
    name: 'reserves-nothing',
    does: 'reserves an amount of 0 before a call',
    changes: [
      {
        find: 'const settle = await spending.reserve(most, { signal });',
        replace: 'const settle = await spending.reserve(0, { signal });',
      },
    ],
    trials: from(0, 'files'),
    finds: [/was billed \d+, and says/u],
  },
  {
    name: 'settles-twice',
    does: 'settles twice the cost of a call',
    changes: [
      {
        find: 'return (cost) => ledger.settle(id, cost);',
        replace: 'return (cost) => ledger.settle(id, { ...cost, micros: 2 * cost.micros });',
      },
    ],
    trials: from(1, 'postgres'),
    finds: [/was billed \d+, and says/u],
  },
  {
    name: 'does-not-say-what-it-cost',
    does: 'reports a cost of 0',
    changes: [
      {
        find: 'const cost = formatMoney(micros, currency);\n  return presumedMicros',
        replace: 'const cost = formatMoney(0, currency);\n  return presumedMicros',
      },
    ],
    trials: from(1, 'files'),
    finds: [/and does not say so/u],
  },
];
