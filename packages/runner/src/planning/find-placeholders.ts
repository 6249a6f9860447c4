/** Kind of what stands in place of work that was not done. */
export type PlaceholderKind =
  | 'reminder'
  | 'ellipsis'
  | 'implementation-here'
  | 'empty-body'
  | 'not-implemented';

/** Added line that holds a placeholder. */
export interface Placeholder {
  /** Path of the file, as the diff names it. */
  readonly path: string;
  /** From 1, in the new file. */
  readonly line: number;
  readonly kind: PlaceholderKind;
}

/** Placeholders of a diff: the first ones, and how many there are. */
export interface FoundPlaceholders {
  readonly count: number;
  readonly found: readonly Placeholder[];
}

const maxFound = 50;
/** Signs of a line that are looked at: what stands further on was written by a program. */
const maxLineChars = 500;

const rules: readonly (readonly [PlaceholderKind, RegExp])[] = [
  ['reminder', /\b(?:TODO|FIXME)\b/],
  ['reminder', /未実装|要実装|実装予定|(?:あとで|後で|ここに|ここへ)実装/],
  ['implementation-here', /\b(?:implementation|code|logic) (?:goes )?here\b/i],
  ['implementation-here', /\bimplement (?:this|it|me)\b/i],
  ['ellipsis', /^(?:return )?(?:\.\.\.|…|'(?:\.\.\.|…)'|"(?:\.\.\.|…)"|`(?:\.\.\.|…)`)[,;]?$/],
  ['ellipsis', /^(?:#|\/\/|\/\*|<!--|--) ?(?:\.\.\.|…)/],
  ['not-implemented', /\b(?:raise|throw) (?:new )?NotImplemented(?:Error|Exception)\b/],
  ['not-implemented', /\b(?:raise|throw|panic|abort|fail|die)\b.{0,80}\bnot (?:yet )?implemented\b/i],
  ['not-implemented', /\b(?:todo|unimplemented)!\(/],
];

/**
 * Finds what stands in place of work in the lines that a unified diff adds. Lines that only moved are not new: what was taken out
 * elsewhere in the diff is not found again. In time proportional to the diff.
 *
 * @example
 * findPlaceholders(diff).found; // [{ path: 'src/cart.ts', line: 12, kind: 'not-implemented' }]
 */
export function findPlaceholders(diff: string): FoundPlaceholders {
  const removed = new Map<string, number>();
  const lines = readDiff(diff, removed);
  const found: Placeholder[] = [];
  let count = 0;
  for (const [index, line] of lines.entries()) {
    const kind = line.isAdded ? judge(index, lines) : null;
    if (kind === null || isMoved(line.text, removed)) continue;
    count += 1;
    if (found.length < maxFound) found.push({ path: line.path, line: line.number, kind });
  }
  return { count, found };
}

/** Line of a new file as a diff shows it. */
interface NewLine {
  readonly path: string;
  readonly number: number;
  readonly text: string;
  readonly isAdded: boolean;
}

const hunkHead = /^@@ -\d{1,9}(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@/;

/** Reads the new side of a diff, and counts what is taken out. The lengths in a hunk's head tell its lines from the diff's own. */
function readDiff(diff: string, removed: Map<string, number>): readonly NewLine[] {
  const lines: NewLine[] = [];
  const hunk = { old: 0, new: 0, number: 0 };
  let path = '';
  for (const line of diff.split('\n')) {
    const sign = line.charAt(0);
    const text = line.slice(1, maxLineChars);
    if (hunk.new > 0 && (sign === '+' || sign === ' ' || line === '')) {
      lines.push({ path, number: hunk.number, text, isAdded: sign === '+' });
      hunk.number += 1;
      hunk.new -= 1;
      if (sign !== '+') hunk.old -= 1;
    } else if (hunk.old > 0 && sign === '-') {
      const key = text.trim();
      removed.set(key, (removed.get(key) ?? 0) + 1);
      hunk.old -= 1;
    } else if (line.startsWith('+++ ')) path = readPath(line.slice(4));
    else {
      const [, old = '1', start = '1', added = '1'] = hunkHead.exec(line) ?? [];
      if (line.startsWith('@@'))
        Object.assign(hunk, { old: Number(old), new: Number(added), number: Number(start) });
    }
  }
  return lines;
}

/** The path without git's beginning, quotes and tab. */
function readPath(written: string): string {
  const [named = ''] = written.split('\t', 1);
  const path = named.replace(/^"/, '').replace(/"$/, '');
  return path.startsWith('b/') ? path.slice(2) : path;
}

function judge(index: number, lines: readonly NewLine[]): PlaceholderKind | null {
  const line = lines[index];
  const text = (line?.text ?? '').trim().replace(/\s{2,}/g, ' ');
  if (text === '') return null;
  const rule = rules.find(([, expression]) => expression.test(text));
  if (rule !== undefined) return rule[0];
  return isEmptyBody(index, lines) ? 'empty-body' : null;
}

/** Tells whether a line is the `pass` that a body of Python consists of; an exception that is left aside or only named needs no more. */
function isEmptyBody(index: number, lines: readonly NewLine[]): boolean {
  const line = lines[index];
  if (line === undefined || !/^\s*pass(?:\s*#.*)?$/.test(line.text) || !line.path.endsWith('.py'))
    return false;
  const before = lines[index - 1]?.text.trim() ?? '';
  const isComplete = /^except\b/.test(before) || (/^class\b/.test(before) && before.includes('('));
  return before.endsWith(':') && !isComplete && !continuesBody(line, lines[index + 1]);
}

function continuesBody(line: NewLine, next: NewLine | undefined): boolean {
  const isNext = next !== undefined && next.path === line.path && next.number === line.number + 1;
  return isNext && next.text.trim() !== '' && indentOf(next.text) >= indentOf(line.text);
}

function indentOf(text: string): number {
  return text.length - text.trimStart().length;
}

function isMoved(text: string, removed: Map<string, number>): boolean {
  const key = text.trim();
  const left = removed.get(key) ?? 0;
  if (left > 0) removed.set(key, left - 1);
  return left > 0;
}
