import { describe, expect, it } from 'vitest';
import { formatReport } from '../format-report.ts';
import { type TranscriptFigures, toTranscriptReport } from './transcript-report.ts';

const share = { prompts: 100, newBeginnings: 99, samePercent: 1.25, newChars: 19_000, promptChars: 19_240 };
const timesOf = (count: number, ours: number) => ({
  ...{ count, ours, stable: 2 * ours, shaping: 50 * ours, runningSum: 10 * ours, naive: 19_950 * ours },
  ...{ isExtrapolated: count > 10_000, pages: 2 },
});
const figures: TranscriptFigures = {
  times: [timesOf(1_000, 0.1), timesOf(10_000, 0.1), timesOf(100_000, 0.2)],
  threadLength: 500,
  prefix: { plain: share, stable: { ...share, newBeginnings: 9, samePercent: 91.5 } },
};

describe('toTranscriptReport', () => {
  it('holds its goals against the times of one run', () => {
    expect(toTranscriptReport(figures).goals.map(({ measured }) => Math.round(measured))).toEqual([
      20_000, 60, 2,
    ]);
  });

  it('shows what was extrapolated, and both modes', () => {
    const text = formatReport(toTranscriptReport(figures));
    expect(text).toContain('4000.0*');
    expect(text).toContain(' 2000.0 ');
    expect(text).toMatch(/default .*1\.3 %\n.*stable .*91\.5 %/);
    expect(text).toContain('missed');
  });

  it('cannot do without the lengths that the goals name', () => {
    expect(() => toTranscriptReport({ ...figures, times: [] })).toThrow('no times for 10000 messages');
  });
});
