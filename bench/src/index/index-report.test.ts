import { describe, expect, it } from 'vitest';
import { toVerdict } from '../format-report.ts';
import { type MeasuredStore, toIndexReport } from './index-report.ts';

const figures = { open: 2, lookup: 0.1, insert: 0.25, update: 0.25, blocked: 0.2, memory: 60 };
const stores: readonly MeasuredStore[] = [
  { store: 'one file per task', synced: false, keys: 1_000, figures: { ...figures, insert: 9 } },
  { store: 'one file per task', synced: false, keys: 100_000, figures },
  { store: 'one file per task', synced: true, keys: 100_000, figures: { ...figures, insert: 5 } },
  {
    store: 'one lowdb file',
    synced: false,
    keys: 100_000,
    figures: { ...figures, insert: 400, memory: 540 },
  },
];
const flatness = { few: 0.1, many: 0.115, fewKeys: 1_000, manyKeys: 100_000 };
const plannings = [{ runs: 100_000, ofTask: 10, ours: 0.5, scan: 4_000 }];

describe('toIndexReport', () => {
  it('holds the goals against the largest stores, nobody waiting for the disk', () => {
    const { goals, tables } = toIndexReport({ stores, flatness, plannings });
    expect(goals.map(({ measured }) => measured)).toEqual([1.15, 1_600, 0.2, 9, 8_000]);
    expect(goals.map(toVerdict)).toEqual(['met', 'met', 'met', 'met', 'met']);
    expect(tables[0]?.rows[2]).toEqual([
      'one file per task, synced',
      '100000',
      '2.000',
      '0.100',
      '5.000',
      '0.250',
      '0.200',
      '60',
    ]);
  });

  it('gives no figures where something was not measured', () => {
    expect(() => toIndexReport({ stores: stores.slice(0, 3), flatness, plannings })).toThrow(
      'was not measured',
    );
  });
});
