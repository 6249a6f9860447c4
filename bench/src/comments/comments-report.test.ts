import { describe, expect, it } from 'vitest';
import { toVerdict } from '../format-report.ts';
import type { LengthFigures, WayFigures } from './comments-figures.ts';
import { toCommentsReport } from './comments-report.ts';

function way(costs: {
  readonly counted: number;
  readonly bytes: number;
  readonly processorMs: number;
}): WayFigures {
  const { counted, bytes, processorMs } = costs;
  const traffic = { requests: 100, counted, bytes };
  return {
    task: {
      baseline: traffic,
      checks: { ...traffic, processorMs },
      recall: 1,
      end: { ...traffic, counted: 1 },
    },
    quiet: { requests: 1, counted: 0, bytes, processorMs },
  };
}

function onThread(comments: number, ours: WayFigures): LengthFigures {
  return { comments, ours, seed: way({ counted: 100, bytes: 30_000_000, processorMs: 300 }) };
}

const heard = { way: 'ours', single: 1, burst: 1, edits: 1 };
const deaf = { way: 'page 1 of 30', single: 0, burst: 0, edits: 0 };

describe('toCommentsReport', () => {
  it('holds our own way against the goals, at its worst', () => {
    const lengths = [
      onThread(10, way({ counted: 4, bytes: 600, processorMs: 1 })),
      onThread(10_000, way({ counted: 5, bytes: 600, processorMs: 2 })),
    ];
    const recalls = [
      { comments: 30, ways: [heard, deaf] },
      { comments: 100, ways: [{ ...heard, burst: 0.5 }, deaf] },
    ];
    const ownWrites = [{ what: 'edits', writes: 40, requests: 120, counted: 40 }];
    const { goals, tables } = toCommentsReport({ lengths, recalls, ownWrites }, { checks: 100, rounds: 7 });
    expect(goals.map((goal) => [goal.measured, toVerdict(goal)])).toEqual([
      [50, 'missed'],
      [1, 'met'],
      [50_000, 'met'],
      [2, 'missed'],
      [5, 'met'],
      [6, 'missed'],
      [1, 'met'],
    ]);
    expect(tables[2]?.rows[0]).toEqual(['10', 1, '600 B', '1.00', 1, '30 MB', '300.00', '50000x', '300.0x']);
    expect(tables[3]?.rows[3]).toEqual(['100', 'page 1 of 30', '0 %', '0 %', '0 %']);
  });
});
