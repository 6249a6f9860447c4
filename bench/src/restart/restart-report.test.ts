import { describe, expect, it } from 'vitest';
import { toVerdict } from '../format-report.ts';
import { toRestartReport } from './restart-report.ts';

describe('toRestartReport', () => {
  it('holds nine of ten restarts against a second, and shows what the runs add within a round', () => {
    const times = [
      { empty: 100, filled: 300, store: 20 },
      { empty: 500, filled: 600, store: 30 },
      { empty: 900, filled: 1_100, store: 40 },
    ];
    const { goals, tables } = toRestartReport(times, { paused: 1, completed: 2 });
    expect(goals.map((goal) => [goal.measured, toVerdict(goal)])).toEqual([[1_100, 'missed']]);
    expect(tables[0]?.rows[2]).toEqual(['added by the runs, within each round', 200, 200, '200.0']);
  });
});
