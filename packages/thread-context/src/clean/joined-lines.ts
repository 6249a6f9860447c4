import type { Span } from './edits.ts';

/** Lines as one text, and the way back to where they stand. */
export interface JoinedLines {
  readonly content: string;
  /** The stretch of the source that a stretch of the content comes from, markers between its lines included. */
  readonly toSource: (span: Span) => Span;
}

/** Joins lines with line feeds. */
export function joinLines(text: string, lines: readonly Span[]): JoinedLines {
  const begins: number[] = [];
  let length = 0;
  for (const { start, end } of lines) {
    begins.push(length);
    length += end - start + 1;
  }
  const toOffset = (index: number): number => {
    const line = findLine(begins, index);
    return (lines[line]?.start ?? 0) + index - (begins[line] ?? 0);
  };
  return {
    content: lines.map(({ start, end }) => text.slice(start, end)).join('\n'),
    toSource: ({ start, end }) => ({ start: toOffset(start), end: toOffset(Math.max(start, end - 1)) + 1 }),
  };
}

/** The last line that begins at or before the index. */
function findLine(begins: readonly number[], index: number): number {
  let low = 0;
  let high = begins.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((begins[middle] ?? 0) <= index) low = middle;
    else high = middle - 1;
  }
  return low;
}
