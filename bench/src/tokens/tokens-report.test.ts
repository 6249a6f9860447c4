import { describe, expect, it } from 'vitest';
import { toVerdict } from '../format-report.ts';
import type { EstimateFigures } from './measure-estimate.ts';
import { type TokensFigures, toTokensReport } from './tokens-report.ts';

const estimate: EstimateFigures = {
  corpus: 'English',
  charactersPerToken: 4,
  total: -0.01,
  ninetyFifth: 0.08,
  lowest: -0.12,
  megabytesPerSecond: 150,
};
const figures: TokensFigures = {
  estimates: [estimate, { ...estimate, corpus: 'code' }],
  stalls: [{ name: 'one letter', milliseconds: 0.5 }],
  budgets: [{ corpus: 'English', counted: 7_900, budget: 8_000 }],
};

describe('the report on tokens', () => {
  it('holds the worst corpus, the slowest, the longest stall and every budget against the goals', () => {
    expect(toTokensReport(figures).goals.map(toVerdict)).toEqual(['met', 'met', 'met', 'met']);
    const worse = toTokensReport({
      estimates: [estimate, { ...estimate, ninetyFifth: 0.101, megabytesPerSecond: 99 }],
      stalls: [...figures.stalls, { name: 'emoji', milliseconds: 5.01 }],
      budgets: [...figures.budgets, { corpus: 'code', counted: 8_008, budget: 8_000 }],
    });
    expect(worse.goals.map(({ measured }) => measured)).toEqual([10.1, 99, 5.01, 0.1]);
    expect(worse.goals.map(toVerdict)).toEqual(['missed', 'missed', 'missed', 'missed']);
  });
});
