import { columnsOf, padColumns } from '../text/terminal-text.ts';
import { formatCommand } from './command-name.ts';

/** Commands longer than this have their note on a line of its own. */
const maxColumns = 48;

/** Lists commands of this program with a note each, in two columns, for `--help`. */
export function formatExamples(rows: readonly (readonly [name: string, note: string])[]): string {
  const commands = rows.map(([name, note]) => ({ command: formatCommand(name), note }));
  const widths = commands.map(({ command }) => columnsOf(command)).filter((width) => width <= maxColumns);
  const width = Math.max(0, ...widths);
  return commands
    .map(({ command, note }) =>
      columnsOf(command) > maxColumns
        ? `  ${command}\n  ${' '.repeat(width)}  ${note}`
        : `  ${padColumns(command, width)}  ${note}`,
    )
    .join('\n');
}
