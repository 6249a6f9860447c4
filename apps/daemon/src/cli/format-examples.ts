import { formatCommand } from '../command-name.ts';

/** The note of a longer command is on a line of its own. */
const maxChars = 48;

/** Lists commands of this program with a note each, in two columns, for `--help`. */
export function formatExamples(rows: readonly (readonly [name: string, note: string])[]): string {
  const commands = rows.map(([name, note]) => ({ command: formatCommand(name), note }));
  const lengths = commands.map(({ command }) => command.length).filter((length) => length <= maxChars);
  const width = Math.max(0, ...lengths);
  return commands
    .map(({ command, note }) =>
      command.length > maxChars
        ? `  ${command}\n  ${' '.repeat(width)}  ${note}`
        : `  ${command.padEnd(width)}  ${note}`,
    )
    .join('\n');
}
