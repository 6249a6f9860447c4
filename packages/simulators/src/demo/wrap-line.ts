/**
 * Breaks a line at its spaces into lines of at most `width` characters. Later lines are indented like the text of the first
 * one, also behind a bullet. A longer word stays whole.
 */
export function wrapLine(text: string, width: number): string[] {
  const indent = ' '.repeat(/^\s*(?:[-•☐☑] )?/.exec(text)?.[0].length ?? 0);
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/(?<=\s)(?=\S)/)) {
    if (line.trim() !== '' && (line + word).trimEnd().length > width) {
      lines.push(line.trimEnd());
      line = indent;
    }
    line += word;
  }
  return [...lines, line.trimEnd()];
}
