import { expect, it } from 'vitest';
import { formatReport } from '../format-report.ts';
import { toTextReport } from './text-report.ts';

it('shows the slowest function first, and holds the goals against the slowest of all', () => {
  const one = { name: 'one', text: 'tabs', shortMs: 10, longMs: 160 };
  const two = { name: 'two', text: 'tildes', shortMs: 60, longMs: 6_000 };
  const report = toTextReport([one, two], { texts: 2, longer: 16 });
  const text = formatReport(report);
  expect(text.indexOf('two')).toBeLessThan(text.indexOf('one '));
  expect(report.goals.map(({ measured }) => measured)).toEqual([60, 6.25]);
});
