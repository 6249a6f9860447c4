import { describe, expect, it } from 'vitest';
import { toVerdict } from '../format-report.ts';
import { type Fleet, toFleetReport } from './fleet-report.ts';

function fleet(changes: Partial<Fleet>): Fleet {
  return {
    ...{ tasks: 500, repositories: 1, way: 'polling', isDaemonPace: false },
    ...{
      joining: 510,
      requests: 360,
      counted: 300,
      refused: 0,
      said: 4,
      delaysMs: [500, 1_000, 1_500, 9_000],
    },
    ...changes,
  };
}

const large = { tasks: 5_000, repositories: 50 };

describe('toFleetReport', () => {
  it('holds the fleets at their own pace against the goals', () => {
    const { goals, tables } = toFleetReport([
      fleet({}),
      fleet({ ...large, counted: 5_001 }),
      fleet({ ...large, way: 'webhooks', delaysMs: [1_000, 2_000, 1_000] }),
      fleet({ repositories: 50, way: 'webhooks' }),
      fleet({ isDaemonPace: true, requests: 2_000 }),
      fleet({ tasks: 1, way: 'seed', delaysMs: [] }),
    ]);
    expect(goals.map((goal) => [goal.measured, toVerdict(goal)])).toEqual([
      [360, 'met'],
      [5_001, 'missed'],
      [9, 'met'],
      [300, 'met'],
      [2, 'met'],
      [9, 'missed'],
      [75, 'missed'],
    ]);
    expect(tables.map(({ rows }) => rows.length)).toEqual([2, 2, 1, 3]);
    expect(tables[3]?.rows[0]).toEqual(['1', 1, 510, 360, 300, '6 %', 0, '–', '–', '0.0 %']);
    expect(tables[3]?.rows[2]?.slice(3, 6)).toEqual([1_800_000, 1_800_000, '36000 %']);
  });
});
