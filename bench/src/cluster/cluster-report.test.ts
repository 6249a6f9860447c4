import { describe, expect, it } from 'vitest';
import { toVerdict } from '../format-report.ts';
import { toClusterReport } from './cluster-report.ts';

const claims = (workers: number, slowest: number) => ({
  workers,
  waiting: 10_000,
  claims: [...Array.from({ length: 98 }, () => 10), slowest, slowest],
});

describe('toClusterReport', () => {
  it('holds the slowest claims against the goal', () => {
    const { goals } = toClusterReport({
      append: { files: [0.5], postgres: [2] },
      claims: [claims(1, 50), claims(8, 51)],
    });
    expect(goals.map(toVerdict)).toEqual(['met', 'missed']);
  });
});
