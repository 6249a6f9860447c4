/** Side of a diff: `LEFT` what was there before, `RIGHT` what is there now. */
export type Side = 'LEFT' | 'RIGHT';

/** One line of the diff of a file. */
export interface DiffLine {
  /** Lines below the first hunk's header, which other headers are counted in. */
  readonly position: number;
  /** Number of its hunk, from 0. */
  readonly hunk: number;
  /** Its number before; null for an added line. */
  readonly left: number | null;
  /** Its number now; null for a removed line. */
  readonly right: number | null;
  /** Numbers at which both sides stand: its own, or the next ones of the side that does not have it. */
  readonly at: readonly [left: number, right: number];
}

const header = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** Numbers the lines of a file's patch as both sides count them. */
export function numberLines(patch: string): readonly DiffLine[] {
  const numbered: DiffLine[] = [];
  let [left, right, hunk] = [0, 0, -1];
  for (const [position, text] of patch.split('\n').entries()) {
    const [isHeader, before, , after] = header.exec(text) ?? [];
    if (isHeader !== undefined) {
      [left, right, hunk] = [Number(before), Number(after), hunk + 1];
      continue;
    }
    const sign = text.charAt(0);
    if (sign === '\\') continue;
    numbered.push({
      position,
      hunk,
      left: sign === '+' ? null : left,
      right: sign === '-' ? null : right,
      at: [left, right],
    });
    if (sign !== '+') left += 1;
    if (sign !== '-') right += 1;
  }
  return numbered;
}

/** The line of a diff that one side counts so; undefined when the diff does not show it. */
export function findLine(lines: readonly DiffLine[], side: Side, number: number): DiffLine | undefined {
  return lines.find((line) => (side === 'LEFT' ? line.left : line.right) === number);
}

/** Cuts the hunk down to a line's position: its header, and all that stands above the line. */
export function hunkAbove(patch: string, position: number): string {
  const lines = patch.split('\n').slice(0, position + 1);
  const start = lines.findLastIndex((text) => header.test(text));
  return lines.slice(start).join('\n');
}

/**
 * The number that a line has after a change; null when the change touches it.
 * @param patch - the difference without context lines (`-U0`)
 */
export function moveLine(patch: string, line: number): number | null {
  let moved = line;
  for (const text of patch.split('\n')) {
    const match = header.exec(text);
    if (!match) continue;
    const [start, removed, added] = [Number(match[1]), Number(match[2] ?? 1), Number(match[4] ?? 1)];
    // A hunk that removes nothing stands behind its line.
    if (removed === 0 ? line <= start : line < start) break;
    if (line < start + removed) return null;
    moved += added - removed;
  }
  return moved;
}
