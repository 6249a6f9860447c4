import { describe, expect, it } from 'vitest';
import { toMemoryReport, toPerTask } from './memory-report.ts';

const measured = (tasks: number, residentKb: number) => ({
  tasks,
  residentKb,
  anonymousKb: residentKb / 2,
  liveKb: residentKb / 4,
  codeKb: residentKb / 8,
  untilEndMs: 500,
  spans: { begun: { first: 1, last: 2 }, opened: { first: 100, last: 100 + 50 * (tasks - 1) } },
});

describe('toPerTask', () => {
  it('shares what is more than one task alone among the further tasks', () => {
    const read = ({ residentKb }: { residentKb: number }) => residentKb;
    expect(toPerTask(measured(11, 101_000), { first: measured(1, 100_000), read })).toBe(100);
  });
});

describe('toMemoryReport', () => {
  it('holds the most concurrent tasks and the idle process against the goals', () => {
    const idle = { residentKb: 60 * 1024, anonymousKb: 1, liveKb: 1, codeKb: 1 };
    const busy = [measured(1, 100_000), measured(101, 115_000)];
    const { goals, tables } = toMemoryReport({ rounds: 1, idle, busy });
    expect(goals.map(({ name, measured: value }) => [name, value])).toEqual([
      ['idle, RSS', 60],
      ['per task at 101, RSS', 150],
    ]);
    expect(tables.at(-1)?.rows[1]?.[4]).toBe('0.05');
  });
});
