import { cleanLine, isolateDirection } from '../text/clean-text.ts';
import { columnsOf, fitColumns, padColumns } from '../text/fit-columns.ts';
import { formatDuration } from '../text/format-duration.ts';
import type { RunSummary } from '../text/run-summary.ts';
import type { CliTexts } from './texts.ts';

export interface FormatStatusOptions {
  readonly texts: CliTexts;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Whether a daemon works there: what it left unfinished waits for one else. */
  readonly owned: boolean;
  /** Columns of the terminal; null for as many as it takes. */
  readonly columns: number | null;
  /** How often the model of a run was asked, by the run's uuid, as far as its daemon could be asked. */
  readonly steps: ReadonlyMap<string, number>;
}

const maxNameColumns = 48;
const minTitleColumns = 10;

/** A table of runs: name, state, age, the beginning of the uuid, title. The title takes what width is left. */
export function formatStatus(runs: readonly RunSummary[], options: FormatStatusOptions): readonly string[] {
  const { texts, columns } = options;
  const cells = runs.map((run) => toCells(run, options));
  const rows = [[...texts.headings], ...cells];
  const widths = [0, 1, 2, 3].map((index) => Math.max(...rows.map((row) => columnsOf(row[index] ?? ''))));
  const fixed = widths.reduce((sum, width) => sum + width + 2, 0);
  const forTitle = columns === null ? Number.POSITIVE_INFINITY : columns - fixed;
  return rows.map((row) => {
    const start = widths.map((width, index) => padColumns(row[index] ?? '', width)).join('  ');
    const title = forTitle < minTitleColumns ? '' : fitColumns(row[4] ?? '', forTitle);
    const line = title === '' ? start.trimEnd() : `${start}  ${isolateDirection(title)}`;
    return columns === null || title !== '' ? line : fitColumns(line, columns);
  });
}

function toCells(run: RunSummary, { texts, now, owned, steps }: FormatStatusOptions): readonly string[] {
  const { name, state, status, since, uuid, title } = run;
  const shown = texts.states[status ?? (state === 'running' && !owned ? 'waiting' : state)] ?? state;
  const step = steps.get(uuid);
  const age = since === null ? '' : texts.since(formatDuration(now - Date.parse(since)));
  return [
    fitColumns(cleanLine(name), maxNameColumns),
    step === undefined ? shown : `${shown}, ${texts.step(step)}`,
    age,
    uuid.slice(0, 8),
    cleanLine(title ?? ''),
  ];
}
