import { describe, expect, it } from 'vitest';
import { formatReport } from '../format-report.ts';
import { type CleanFigures, toCleanReport } from './clean-report.ts';

const time = { byClock: 20, byProcessor: 12, fastest: 10 };
const hidden = { words: 0, bits: 1, hidden: 50 };
const good = {
  ...hidden,
  disarmed: ['a', 'b'],
  missed: [],
  unchanged: [{ script: 'Latin', text: 'x' }],
  changed: [],
};
const bad = {
  ...hidden,
  disarmed: ['a'],
  missed: ['b'],
  unchanged: [],
  changed: [{ script: 'Emoji', text: 'x' }],
};
const figures: CleanFigures = {
  scores: { ours: good, naive: bad },
  worst: [
    { name: 'one', ours: time, naive: null },
    { name: 'two', ours: { byClock: 90, byProcessor: 70, fastest: 49 }, naive: time },
  ],
  random: [{ ...time, name: '"["' }],
  first: time,
  prose: { megabytes: 0.5, ours: time, naive: time },
  naiveLimitMs: 2_000,
};

describe('toCleanReport', () => {
  it('shows the slowest first, both scores, and where the naive way was stopped', () => {
    const text = formatReport(toCleanReport(figures));
    expect(text.indexOf('two')).toBeLessThan(text.indexOf('one '));
    expect(text).toContain('over 2000');
    expect(text).toContain('1 of 2');
    expect(text).toMatch(/ours\s+50\n/);
  });

  it('holds its goals against the slowest of all and the whole corpus', () => {
    const slow = { ...figures, random: [{ byClock: 60, byProcessor: 80, fastest: 51, name: '"("' }] };
    expect(toCleanReport(figures).goals.map(({ measured }) => measured)).toEqual([100, 0, 2, 100, 49]);
    expect(toCleanReport(slow).goals.at(-1)?.measured).toBe(51);
    const missed = { ...figures, scores: { ours: bad, naive: bad } };
    expect(toCleanReport(missed).goals.map(({ measured }) => measured)).toEqual([50, 0, 2, 0, 49]);
  });
});
