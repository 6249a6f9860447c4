import { describe, expect, it } from 'vitest';
import { toVerdict } from '../format-report.ts';
import { type JournalFigures, toGrowth, toJournalReport } from './journal-report.ts';

function measured(messages: number, totals: { ours: number; earlier: number }): JournalFigures {
  const toCosts = (totalMs: number) => ({
    totalMs: totalMs * 3,
    processorMs: totalMs,
    bookkeepingMs: totalMs / 2,
    bytes: messages * 100,
  });
  return { messages, sync: false, ours: toCosts(totals.ours), earlier: toCosts(totals.earlier) };
}

describe('toGrowth', () => {
  it('is 1 where twice the messages take twice the time, and 2 where they take four times', () => {
    const short = measured(500, { ours: 50, earlier: 1 });
    expect(toGrowth(short, measured(1_000, { ours: 100, earlier: 1 }))).toBe(1);
    expect(toGrowth(short, measured(1_000, { ours: 200, earlier: 1 }))).toBe(2);
  });
});

describe('toJournalReport', () => {
  it('holds a run of 1,000 messages and the growth against the goals', () => {
    const figures = [
      measured(500, { ours: 5, earlier: 1_000 }),
      measured(1_000, { ours: 10, earlier: 2_990 }),
      measured(2_000, { ours: 20, earlier: 9_000 }),
    ];
    const { goals, tables } = toJournalReport(figures, { rounds: 1 });
    expect(goals.map((goal) => [goal.measured, toVerdict(goal)])).toEqual([
      [299, 'missed'],
      [1, 'met'],
    ]);
    expect(tables[0]?.rows[1]).toEqual([
      ...['1000', '30', '10', '5'],
      ...['8970', '2990', '1495', '299.0x', '299.0x', '299x'],
    ]);
  });
});
