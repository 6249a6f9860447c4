import { expect, it } from 'vitest';
import { formatReport } from '../format-report.ts';
import { toShares } from './measure-plan.ts';
import { type ReadPlan, toPlansReport } from './plans-report.ts';

it('counts what was typed, and misses its goal by one plan that was not', () => {
  const plans: readonly ReadPlan[] = [
    { name: 'prose', group: 'bad', kind: 'bad', ms: 0.25 },
    { name: 'a fence', group: 'readable', kind: 'ok', ms: 3 },
    { name: 'a null', group: 'bad', kind: 'thrown', ms: 1 },
    { name: 'a doubt', group: 'unclear-goal', kind: 'unclear-goal', ms: 2 },
  ];
  const cost = { sharedPercent: 94, leastPercent: 60, prompts: 9, polls: 17 };
  const report = toPlansReport(plans, cost);
  expect(formatReport(report)).toContain('3 of 4 typed');
  expect(report.goals.map(({ measured }) => measured)).toEqual([75, 94, 17, 3]);
  expect(report.tables[0]?.rows[0]).toEqual(['bad', 2, 0, 0, 1, 1, '0.63', '1.00']);
});

it('shares of a prompt what it begins with of the one before', () => {
  expect(toShares(['ab', 'abcd', 'abXdefgh'])).toEqual({
    sharedPercent: (100 * 4) / 12,
    leastPercent: 25,
    prompts: 3,
  });
});
