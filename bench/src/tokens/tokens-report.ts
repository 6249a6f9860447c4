import type { Report, Table } from '../report.ts';
import type { BudgetFigures } from './measure-budget.ts';
import type { EstimateFigures } from './measure-estimate.ts';

/** What the default counter adds to its estimate, so that no text is taken for less than it is. */
export const safetyFactor = 1.2;

export interface TokensFigures {
  readonly estimates: readonly EstimateFigures[];
  /** What the estimate of one comment of 65,536 characters takes. */
  readonly stalls: readonly { readonly name: string; readonly milliseconds: number }[];
  readonly budgets: readonly BudgetFigures[];
}

/** The figures in tables, and the goals. */
export function toTokensReport({ estimates, stalls, budgets }: TokensFigures): Report {
  const overshoots = budgets.map(({ counted, budget }) => Math.max(0, counted / budget - 1));
  return {
    title: 'tokens: the default estimate beside a tokenizer',
    tables: [toEstimateTable(estimates), toStallTable(stalls), toBudgetTable(budgets)],
    goals: [
      {
        name: 'error of a chunk, 95th percentile, the worst corpus',
        measured: toPercent(Math.max(...estimates.map(({ ninetyFifth }) => ninetyFifth))),
        atMost: 10,
        unit: '%',
      },
      {
        name: 'speed on the slowest corpus',
        measured: Math.round(Math.min(...estimates.map(({ megabytesPerSecond }) => megabytesPerSecond))),
        atLeast: 100,
        unit: 'MB/s',
      },
      {
        name: 'stall by any comment of 65,536 characters',
        measured: toTwoPlaces(Math.max(...stalls.map(({ milliseconds }) => milliseconds))),
        atMost: 5,
        unit: 'ms',
      },
      {
        name: 'tokens above the budget of 8,000',
        measured: toPercent(Math.max(...overshoots)),
        atMost: 0,
        unit: '%',
      },
    ],
    notes: [
      'The tokenizer is gpt-tokenizer with o200k_base; models have their own, so that no estimate can be nearer than they are to each other.',
      `The default counter says ${safetyFactor} times the estimate; the errors here are of the estimate itself, in chunks of 2,000 characters.`,
      'English: the documents of this repository and READMEs of libraries, tables and code blocks included. Japanese: messages of a TypeScript compiler. Code: the TypeScript of this repository.',
      'Stalls are of the fastest of 7 rounds, megabytes a second by processor time. A budget is that of the block which a run inherits from a summary of 100,000 characters.',
    ],
  };
}

function toEstimateTable(estimates: readonly EstimateFigures[]): Table {
  return {
    caption: 'Estimate against count',
    columns: ['corpus', 'characters a token', 'all of it', '95 % of chunks within', 'lowest chunk', 'MB/s'],
    rows: estimates.map((figures) => [
      figures.corpus,
      toTwoPlaces(figures.charactersPerToken),
      `${toPercent(figures.total)} %`,
      `${toPercent(figures.ninetyFifth)} %`,
      `${toPercent(figures.lowest)} %`,
      Math.round(figures.megabytesPerSecond),
    ]),
  };
}

function toStallTable(stalls: TokensFigures['stalls']): Table {
  const rows = stalls.map(({ name, milliseconds }) => [name, toTwoPlaces(milliseconds)]);
  return { caption: 'One comment of 65,536 characters', columns: ['comment', 'ms'], rows };
}

function toBudgetTable(budgets: readonly BudgetFigures[]): Table {
  const rows = budgets.map(({ corpus, counted, budget }) => [corpus, budget, counted]);
  return { caption: 'An inherited block', columns: ['corpus', 'budget, tokens', 'counted'], rows };
}

function toPercent(share: number): number {
  return Math.round(share * 1000) / 10;
}

function toTwoPlaces(value: number): number {
  return Math.round(value * 100) / 100;
}
