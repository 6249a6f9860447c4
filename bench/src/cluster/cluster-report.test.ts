import { describe, expect, it } from 'vitest';
import { toVerdict } from '../format-report.ts';
import { toClusterReport } from './cluster-report.ts';

const claims = (workers: number, slowest: number) => ({
  workers,
  waiting: 10_000,
  claims: [...Array.from({ length: 98 }, () => 10), slowest, slowest],
});

const worked = (workers: number, statements: number) => ({
  ...{ workers, tasks: 10, elapsedMs: 60_000 },
  used: { statements, daemonsMs: 900, serverMs: 100 },
});

describe('toClusterReport', () => {
  it('holds the slowest claims, and what more workers and steps add, against the goals', () => {
    const { goals } = toClusterReport({
      append: { files: [0.5], postgres: [2] },
      claims: [claims(1, 50), claims(8, 51)],
      workers: [worked(1, 100), worked(8, 120)],
      steps: [
        { kind: 'read', statements: 5.5 },
        { kind: 'change', statements: 6.5 },
      ],
      idle: 0.9,
      waiting: { runs: [25, 50], liveKb: 151, withCodeKb: 170 },
    });
    expect(goals.map(({ measured }) => measured)).toEqual([50, 51, 1.2, 1, 5.5, 6.5, 0.9, 151]);
    const [claim, claimOf8, statements, time, read, change, idle, memory] = goals.map(toVerdict);
    expect([claim, time, read, idle]).toEqual(['met', 'met', 'met', 'met']);
    expect([claimOf8, statements, change, memory]).toEqual(['missed', 'missed', 'missed', 'missed']);
  });
});
