import type { TokenCounter } from '@agent/text';

/** Row of a text: a line, or a part of a line that is longer than 500 characters. */
export interface Row {
  readonly text: string;
  /** True if the next row continues the same line. */
  readonly continues: boolean;
  /** First line of the envelope that contains the row; null outside of envelopes. */
  readonly envelope: string | null;
}

const maxRowChars = 500;

/** First or last line of an envelope of `@agent/text`, which holds text of one author. */
const envelopeMark = /^={5} (BEGIN|END) TEXT ([A-Za-z0-9-]{16,128}) [^\n]*$/;

/** Splits a text into rows, which are numbered from 1 wherever a model sees a number. */
export function toRows(text: string): readonly Row[] {
  const rows: Row[] = [];
  let envelope: string | null = null;
  for (const line of text.split('\n')) {
    const mark = envelopeMark.exec(line);
    if (mark?.[1] === 'BEGIN') envelope = line;
    if (mark !== null) rows.push({ text: line, continues: false, envelope });
    else rows.push(...splitLine(line, envelope));
    if (mark?.[1] === 'END') envelope = null;
  }
  return rows;
}

function splitLine(line: string, envelope: string | null): readonly Row[] {
  const rows: Row[] = [];
  let start = 0;
  do {
    const end = avoidHalves(line, Math.min(line.length, start + maxRowChars));
    rows.push({ text: line.slice(start, end), continues: end < line.length, envelope });
    start = end;
  } while (start < line.length);
  return rows;
}

/** Moves a cut back that would separate the two code units of one character. */
function avoidHalves(text: string, at: number): number {
  const isInside = at > 0 && at < text.length && /[\uDC00-\uDFFF]/.test(text.charAt(at));
  return isInside && /[\uD800-\uDBFF]/.test(text.charAt(at - 1)) ? at - 1 : at;
}

/**
 * Joins consecutive rows to a text. A part of an envelope gets the first and the last line of it, so that untrusted text
 * never stands outside of its envelope or within the envelope of another author.
 */
export function joinRows(rows: readonly Row[]): string {
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) return '';
  const before = first.envelope !== null && first.text !== first.envelope ? `${first.envelope}\n` : '';
  const end = last.envelope === null ? null : toEnd(last.envelope);
  const after = end !== null && last.text !== end ? `\n${end}` : '';
  const inside = rows.map(({ text, continues }, index) =>
    continues || index === rows.length - 1 ? text : `${text}\n`,
  );
  return `${before}${inside.join('')}${after}`;
}

function toEnd(envelope: string): string {
  return `===== END TEXT ${envelopeMark.exec(envelope)?.[2] ?? ''} =====`;
}

/** Rows that an excerpt leaves out. */
export interface MissingRows {
  /** Number of the first row, from 1. */
  readonly from: number;
  readonly to: number;
  readonly total: number;
  readonly chars: number;
}

export interface ExcerptOptions {
  /** Size of the excerpt, its note included. */
  readonly maxTokens: number;
  readonly count: TokenCounter;
  /** Says what is missing and how to read it. */
  readonly note: (missing: MissingRows) => string;
  /** Parts that stay: beginning and end, or one of them. Default `both`. */
  readonly keep?: 'both' | 'start' | 'end' | undefined;
}

/** Shortens a text to a size: the middle or the end is replaced by a note. A text that fits is returned unchanged. */
export function shorten(text: string, { maxTokens, count, note, keep = 'both' }: ExcerptOptions): string {
  if (count(text) <= maxTokens) return text;
  const rows = toRows(text);
  const longestNote = note({ from: rows.length, to: rows.length, total: rows.length, chars: text.length });
  let room = maxTokens - count(longestNote) - 2;
  for (let attempt = 0; attempt < 8; attempt += 1) {
    const shown = show(rows, { room: Math.max(0, room), count, note, keep });
    const excess = count(shown) - maxTokens;
    if (excess <= 0 || room <= 0) return shown;
    room -= Math.max(excess, Math.ceil(room / 10));
  }
  return show(rows, { room: 0, count, note, keep });
}

/** Shortens a text to what is stored of it: beginning and end. */
export function storable(text: string, { maxChars }: { readonly maxChars: number }): string {
  const note = ({ total, chars }: MissingRows) =>
    `… (${chars} characters of this output were too many to store: it had ${total} lines) …`;
  return shorten(text, { maxTokens: maxChars, count: (one) => one.length, note });
}

function show(
  rows: readonly Row[],
  { room, count, note, keep }: Omit<ExcerptOptions, 'maxTokens'> & { readonly room: number },
): string {
  const headRoom = { both: room / 2, start: room, end: 0 }[keep ?? 'both'];
  const head = takeRows(rows, { room: headRoom, count, from: 'start' });
  const rest = rows.slice(head.taken);
  const tail = takeRows(rest, { room: keep === 'start' ? 0 : room - head.used, count, from: 'end' });
  const missing = rows.slice(head.taken, rows.length - tail.taken);
  const from = head.taken + 1;
  const chars = missing.reduce((sum, row) => sum + row.text.length + (row.continues ? 0 : 1), 0);
  const text = note({ from, to: from + missing.length - 1, total: rows.length, chars });
  return [joinRows(head.rows), text, joinRows(tail.rows)].filter((part) => part !== '').join('\n');
}

interface TakenRows {
  readonly rows: readonly Row[];
  /** Whole rows among them. */
  readonly taken: number;
  readonly used: number;
}

function takeRows(
  rows: readonly Row[],
  options: { readonly room: number; readonly count: TokenCounter; readonly from: 'start' | 'end' },
): TakenRows {
  const { room, count, from } = options;
  const ordered = from === 'start' ? rows : rows.toReversed();
  let used = 0;
  let taken = 0;
  for (const { text } of ordered) {
    const size = count(`${text}\n`);
    if (used + size > room) break;
    used += size;
    taken += 1;
  }
  const [next] = ordered.slice(taken);
  const piece = taken > 0 || next === undefined ? '' : cutRow(next.text, { ...options, room });
  const part = piece === '' || next === undefined ? [] : [{ ...next, text: piece, continues: false }];
  const kept = [...ordered.slice(0, taken), ...part];
  return { rows: from === 'start' ? kept : kept.toReversed(), taken, used: used + count(piece) };
}

/** Cuts a row of which not all fits. */
function cutRow(
  text: string,
  {
    room,
    count,
    from,
  }: { readonly room: number; readonly count: TokenCounter; readonly from: 'start' | 'end' },
): string {
  const size = count(text);
  // An envelope's line is useless in part.
  if (room < 1 || size === 0 || envelopeMark.test(text)) return '';
  const length = Math.floor((text.length * room * 0.9) / size);
  return from === 'start'
    ? text.slice(0, avoidHalves(text, length))
    : text.slice(avoidHalves(text, text.length - length));
}
