import { describe, expect, it } from 'vitest';
import { toVerdict } from '../format-report.ts';
import { type JournalFigures, toGrowth, toJournalReport } from './journal-report.ts';
import type { SampleKind } from './sample-messages.ts';

function measured(
  messages: number,
  { ours, earlier, kind = 'short' }: { ours: number; earlier: number; kind?: SampleKind },
): JournalFigures {
  const toCosts = (totalMs: number) => ({
    totalMs: totalMs * 3,
    processorMs: totalMs,
    bookkeepingMs: totalMs / 2,
    bytes: messages * 100,
  });
  return {
    messages,
    kind,
    ours: toCosts(ours),
    earlier: toCosts(earlier),
    synced: toCosts(ours * 4),
    bareMs: ours / 10,
  };
}

describe('toGrowth', () => {
  it('is 1 where ten times the messages take ten times the time, and 10 where they take a hundred times', () => {
    const short = measured(200, { ours: 50, earlier: 1 });
    expect(toGrowth(short, measured(2_000, { ours: 500, earlier: 1 }))).toBe(1);
    expect(toGrowth(short, measured(2_000, { ours: 5_000, earlier: 1 }))).toBe(10);
  });
});

describe('toJournalReport', () => {
  it('holds runs of 1,000 messages and the growth against the goals, by the length of what tools give', () => {
    const ofKind = (kind: SampleKind, earlier: number) => [
      measured(200, { ours: 5, earlier: 1_000, kind }),
      measured(1_000, { ours: 10, earlier, kind }),
      measured(2_000, { ours: 100, earlier: 9_000, kind }),
    ];
    const figures = [...ofKind('short', 2_990), ...ofKind('long', 3_000)];
    const resumed = { openMs: 6, readMs: 3, parseMs: 3, totalMs: 10, bytes: 2_048 };
    const resumes = [100, 1_500].map((events) => ({ ...resumed, events, kind: 'short' as const }));
    const { goals, tables } = toJournalReport({ figures, resumes }, { rounds: 1 });
    expect(goals.map((goal) => [goal.measured, toVerdict(goal)])).toEqual([
      [299, 'missed'],
      [2, 'missed'],
      [300, 'met'],
      [2, 'missed'],
      [3, 'met'],
    ]);
    expect(tables[0]?.rows[1]).toEqual([
      ...['1000', '10.0', '10.0', '2990', '299x', '1.0', '2990x', '5.0', '1495', '299x'],
    ]);
    expect(tables[3]?.rows[1]).toEqual([
      ...['1500 events, short outputs', '2', '6.0', '3.0', '3.0', '3.0x', '10.0'],
    ]);
    expect(tables[2]?.rows[1]).toEqual(['1000 messages, short outputs', '30', '120']);
  });
});
