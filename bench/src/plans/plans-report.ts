import type { Report } from '../report.ts';
import { findMedian } from '../statistics.ts';
import type { PlanCost } from './measure-plan.ts';

/** One broken plan as it was read. */
export interface ReadPlan {
  readonly name: string;
  /** What it was made to be. */
  readonly group: string;
  readonly kind: 'ok' | 'bad' | 'unclear-goal' | 'thrown';
  /** Milliseconds by the clock, the fastest of the rounds. */
  readonly ms: number;
}

/** What was measured, in tables. */
export function toPlansReport(plans: readonly ReadPlan[], cost: PlanCost): Report {
  const typed = plans.filter(({ kind }) => kind !== 'thrown');
  const slowest = [...plans].sort((one, other) => other.ms - one.ms);
  const groups = [...new Set(plans.map(({ group }) => group))];
  return {
    title: `plans: ${typed.length} of ${plans.length} typed`,
    tables: [
      {
        caption:
          'Broken plans by what they were made to be, and what they were read as; milliseconds by the clock',
        columns: ['made to be', 'plans', 'good plan', 'question', 'reasons', 'thrown', 'median', 'slowest'],
        rows: groups.map((group) => toRow(group, plans)),
      },
      {
        caption: 'The slowest of them, milliseconds by the clock',
        columns: ['plan', 'ms'],
        rows: slowest.slice(0, 5).map(({ name, ms }) => [name, ms.toFixed(2)]),
      },
      {
        caption: 'A run of 30 actions, and the polls of the thread of 10 actions with 3 reflections',
        columns: ['prompts', 'shared with the one before, %', 'the least of them, %', 'polls'],
        rows: [[cost.prompts, cost.sharedPercent.toFixed(1), cost.leastPercent.toFixed(1), cost.polls]],
      },
    ],
    goals: [
      { name: 'typed', measured: (100 * typed.length) / plans.length, atLeast: 100, unit: '%' },
      { name: 'prompt shared with the one before', measured: cost.sharedPercent, atLeast: 90, unit: '%' },
      { name: 'polls of the thread', measured: cost.polls, atMost: 20, unit: 'polls' },
      { name: 'the slowest', measured: slowest[0]?.ms ?? 0, atMost: 200, unit: 'ms' },
    ],
    notes: [
      'Each plan is read and checked five times; the fastest counts. The corpus is that of the tests of the runner.',
    ],
  };
}

function toRow(group: string, plans: readonly ReadPlan[]): readonly (string | number)[] {
  const own = plans.filter((plan) => plan.group === group);
  const count = (kind: ReadPlan['kind']) => own.filter((plan) => plan.kind === kind).length;
  const times = own.map(({ ms }) => ms);
  return [
    group,
    own.length,
    count('ok'),
    count('unclear-goal'),
    count('bad'),
    count('thrown'),
    findMedian(times).toFixed(2),
    Math.max(...times).toFixed(2),
  ];
}
