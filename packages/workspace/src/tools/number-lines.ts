const maxLineChars = 2000;
const maxChars = 100_000;

/** Which lines to show. */
export interface LineRange {
  readonly name: string;
  /** Counted from 1. */
  readonly offset: number;
  readonly limit: number;
}

/** A part of a text with line numbers, under a line that says which part of how much it is. */
export function numberLines(text: string, { name, offset, limit }: LineRange): string {
  if (text === '') return `${name} is empty.`;
  const lines = text.replace(/\n$/, '').split('\n');
  if (offset > lines.length) return `${name} has only ${lines.length} lines.`;
  const shown: string[] = [];
  let size = 0;
  for (const [index, line] of lines.slice(offset - 1, offset - 1 + limit).entries()) {
    const numbered = `${offset + index}\t${cutLine(line.replace(/\r$/, ''))}`;
    size += numbered.length + 1;
    if (size > maxChars && shown.length > 0) break;
    shown.push(numbered);
  }
  const last = offset + shown.length - 1;
  const more = last < lines.length ? `; go on with offset ${last + 1}` : '';
  return `${name}, lines ${offset}-${last} of ${lines.length}${more}\n${shown.join('\n')}`;
}

function cutLine(line: string): string {
  if (line.length <= maxLineChars) return line;
  return `${line.slice(0, maxLineChars).replace(/[\uD800-\uDBFF]$/, '')}… (${line.length} characters in this line)`;
}
