import { describe, expect, it } from 'vitest';
import { formatReport } from '../format-report.ts';
import { type PrePlanningFigures, toPrePlanningReport } from './pre-planning-report.ts';

const time = { byClock: 6, byProcessor: 5, fastest: 4 };
const good = { fault: 'fenced', isValid: true, isUnderstood: true, by: 'format, extracted', calls: 1 };
const figures: PrePlanningFigures = {
  collections: [
    { items: 5, oneByOneMs: 500, oursMs: 100 },
    { items: 20, oneByOneMs: 2_000, oursMs: 300 },
  ],
  hostile: [
    { pattern: '"{"', ours: { ...time, fastest: 2 }, expressions: time },
    { pattern: '"<think>"', ours: time, expressions: null },
  ],
  fates: [good, { ...good, fault: 'prose', by: 'minimal', calls: 4, isUnderstood: false }],
};

describe('toPrePlanningReport', () => {
  it('holds its goals against the largest collection, the slowest answer and all fates', () => {
    expect(toPrePlanningReport(figures).goals.map(({ measured }) => measured)).toEqual([2_000 / 300, 4, 100]);
    const invalid = { ...figures, fates: [good, { ...good, isValid: false }] };
    expect(toPrePlanningReport(invalid).goals.at(-1)?.measured).toBe(50);
  });

  it('says which mode was needed, and what was stopped', () => {
    const text = formatReport(toPrePlanningReport(figures));
    expect(text.indexOf('<think>')).toBeLessThan(text.indexOf('"{"'));
    expect(text).toContain('over 2000');
    expect(text).toMatch(/minimal\s+0\s+1\s+0/);
    expect(text).toContain('Of 2 broken answers 1 (50.0 %) were understood');
    expect(text).toContain('a valid result (understood: 50.0 %)');
  });
});
