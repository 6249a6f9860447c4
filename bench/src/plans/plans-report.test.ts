import { expect, it } from 'vitest';
import { formatReport } from '../format-report.ts';
import { type ReadPlan, toPlansReport } from './plans-report.ts';

it('counts what was typed, and misses its goal by one plan that was not', () => {
  const plans: readonly ReadPlan[] = [
    { name: 'prose', group: 'bad', kind: 'bad', ms: 0.25 },
    { name: 'a fence', group: 'readable', kind: 'ok', ms: 3 },
    { name: 'a null', group: 'bad', kind: 'thrown', ms: 1 },
    { name: 'a doubt', group: 'unclear-goal', kind: 'unclear-goal', ms: 2 },
  ];
  const report = toPlansReport(plans);
  expect(formatReport(report)).toContain('3 of 4 typed');
  expect(report.goals.map(({ measured }) => measured)).toEqual([75, 3]);
  expect(report.tables[0]?.rows[0]).toEqual(['bad', 2, 0, 0, 1, 1, '0.63', '1.00']);
});
