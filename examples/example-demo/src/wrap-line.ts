/**
 * Breaks a line at its spaces into lines of at most this many characters, those that follow set in as the text of the
 * first is; a word that is longer than that stays whole.
 */
export function wrapLine(text: string, width: number): string[] {
  const indent = ' '.repeat(/^\s*(?:- )?/.exec(text)?.[0].length ?? 0);
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
