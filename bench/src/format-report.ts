import type { Goal, Limit, Report, Table } from './report.ts';

/** A report as text: its tables, its goals with their verdicts, its notes. */
export function formatReport({ title, tables, goals, notes }: Report): string {
  const parts = [
    `# ${title}`,
    ...tables.map(formatTable),
    ...(goals.length === 0 ? [] : [formatTable(toGoalTable(goals))]),
    ...(notes.length === 0 ? [] : [notes.map((note) => `- ${note}`).join('\n')]),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** Columns as wide as their widest cell: names to the left, figures to the right. */
export function formatTable({ caption, columns, rows, format }: Table): string {
  if (format === 'markdown') return [caption, '', ...formatMarkdown([columns, ...rows])].join('\n');
  const cells = [columns, ...rows].map((row) => row.map(formatCell));
  const widths = columns.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const lines = cells.map((row) => joinCells(row, { widths, rows }));
  const rule = widths.map((width) => '-'.repeat(width)).join('  ');
  return [caption, '', lines[0], rule, ...lines.slice(1)].join('\n');
}

function formatMarkdown([columns = [], ...rows]: Table['rows']): readonly string[] {
  const toLine = (cells: readonly (string | number)[]) => `| ${cells.map(formatCell).join(' | ')} |`;
  return [toLine(columns), `|${'---|'.repeat(columns.length)}`, ...rows.map(toLine)];
}

/** `met` at the limit and on its right side. */
export function toVerdict(goal: Limit & { readonly measured: number }): 'met' | 'missed' {
  const isMet = 'atMost' in goal ? goal.measured <= goal.atMost : goal.measured >= goal.atLeast;
  return isMet ? 'met' : 'missed';
}

function toGoalTable(goals: readonly Goal[]): Table {
  return {
    caption: 'Goals',
    columns: ['goal', 'measured', 'limit', 'verdict'],
    rows: goals.map((goal) => [
      goal.name,
      `${formatCell(goal.measured)} ${goal.unit}`,
      'atMost' in goal
        ? `at most ${formatCell(goal.atMost)} ${goal.unit}`
        : `at least ${formatCell(goal.atLeast)} ${goal.unit}`,
      toVerdict(goal),
    ]),
  };
}

interface Layout {
  readonly widths: readonly number[];
  readonly rows: Table['rows'];
}

function joinCells(row: readonly string[], { widths, rows }: Layout): string {
  const aligned = row.map((cell, column) => {
    const width = widths[column] ?? cell.length;
    return isFigures(rows, column) ? cell.padStart(width) : cell.padEnd(width);
  });
  return aligned.join('  ').trimEnd();
}

function isFigures(rows: Table['rows'], column: number): boolean {
  return column > 0 && rows.every((row) => /^-?\d|^$|^–$/.test(formatCell(row[column] ?? '')));
}

function formatCell(cell: string | number): string {
  if (typeof cell === 'string') return cell;
  return Number.isInteger(cell) ? String(cell) : cell.toFixed(1);
}
