import type { TrialResult } from './trial.ts';

/** One line of the table. */
export interface TrialRow {
  readonly model: string;
  readonly program: string;
  readonly seed: number;
  readonly summary: string;
  readonly requests: number;
  /** Requests that the endpoint refused. */
  readonly refused: number;
  readonly seconds: number;
  readonly problems: readonly string[];
}

/** The table at the end, in Markdown, with the problems below it. */
export function formatTable(rows: readonly TrialRow[]): string {
  const lines = rows.map(({ model, program, seed, summary, requests, refused, seconds, problems }) =>
    toLine([
      ...[model, program, seed, summary, requests, refused, seconds],
      problems.length === 0 ? 'holds' : `${problems.length} broken`,
    ]),
  );
  const problems = rows.flatMap((row) =>
    row.problems.map((problem) => `- ${row.model}, ${row.program}, seed ${row.seed}: ${problem}`),
  );
  const head = ['model', 'program', 'seed', 'result', 'requests', 'refused', 'seconds', 'promises'];
  const table = [toLine(head), toLine(head.map(() => '---')), ...lines].join('\n');
  return problems.length === 0 ? table : `${table}\n\n${problems.join('\n')}`;
}

function toLine(cells: readonly (string | number)[]): string {
  return `| ${cells.join(' | ')} |`;
}

/** Files of the report on one run, by name. */
export function toReport(row: TrialRow, { published, log }: TrialResult): Readonly<Record<string, string>> {
  return {
    'result.md': `${formatTable([row])}\n`,
    'published.md': published.map(({ place, text }) => `<<< ${place} >>>\n\n${text}\n`).join('\n'),
    'log.txt': log.map((line) => `${line}\n`).join(''),
  };
}
