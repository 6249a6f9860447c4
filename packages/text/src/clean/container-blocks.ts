import { holds, type Stretch, skipBlanks, skipRun, toUnitSet } from './page.ts';

/** A block that holds other blocks: a quote, an item of a list, a footnote. */
export interface Container {
  readonly kind: 'quote' | 'item' | 'footnote';
  /** Columns that its lines are indented by. */
  readonly indent: number;
  /** Nothing stands in it yet. */
  isEmpty: boolean;
  /** The place where it begins in the text. */
  readonly start: number;
  /** The name of a footnote, else empty. */
  readonly label: string;
}

const greaterThan = 0x3e;
const openingBracket = 0x5b;
const caret = 0x5e;
const footnote = /\[\^([^\]\s]{1,999})\]:[ \t]*/y;
const bullets = toUnitSet('*+-');
const digits = toUnitSet('0123456789');
const numberEnds = toUnitSet('.)');
const blanks = toUnitSet(' \t');
const maxDigits = 9;

/** Reads what continues a container on a line; false when the line is not in it. */
export function continuesContainer({ kind, indent, isEmpty }: Container, reader: LineReader): boolean {
  if (kind === 'quote') {
    if (reader.indent > 3 || nextUnit(reader) !== greaterThan) return false;
    skipQuoteMarker(reader);
    return true;
  }
  if (reader.isBlank) return kind === 'footnote' || !isEmpty;
  if (reader.indent < indent) return false;
  skipColumns(reader, indent);
  return true;
}

interface ContainerPlace {
  readonly text: string;
  /** The container would interrupt a paragraph. */
  readonly inParagraph: boolean;
}

/** Opens the container that begins here, if one does. */
export function openContainer(reader: LineReader, { text, inParagraph }: ContainerPlace): Container | null {
  const unit = nextUnit(reader);
  const start = reader.next;
  if (unit === greaterThan) {
    skipQuoteMarker(reader);
    return { kind: 'quote', indent: 0, isEmpty: false, start, label: '' };
  }
  if (unit !== openingBracket) return openItem(reader, inParagraph);
  if (reader.units[start + 1] !== caret) return null;
  footnote.lastIndex = start;
  const found = footnote.exec(text);
  if (found === null) return null;
  skipMarker(reader, found[0].length);
  return { kind: 'footnote', indent: 4, isEmpty: false, start, label: `^${found[1] ?? ''}` };
}

/** @see https://spec.commonmark.org/0.31.2/#list-items */
function openItem(reader: LineReader, inParagraph: boolean): Container | null {
  const start = reader.next;
  const width = findItemMarker(reader);
  if (width === null) return null;
  if (inParagraph && !canInterrupt(reader, width)) return null;
  const before = reader.indent;
  skipMarker(reader, width);
  const padding = reader.isBlank || reader.indent > 4 ? 1 : reader.indent;
  skipColumns(reader, padding);
  return { kind: 'item', indent: before + width + padding, isEmpty: true, start, label: '' };
}

/** Tells how wide the marker of an item is that stands here; null where none does. */
function findItemMarker(reader: LineReader): number | null {
  const { units, start, end } = restOfLine(reader);
  let index = start;
  while (holds(digits, units[index]) && index < start + maxDigits) index += 1;
  if (!holds(index === start ? bullets : numberEnds, units[index])) return null;
  index += 1;
  return index >= end || holds(blanks, units[index]) ? index - start : null;
}

/** Only an item with a text, and of numbered ones the first, can stand in the middle of a paragraph. */
function canInterrupt(reader: LineReader, width: number): boolean {
  const { units, start, end } = restOfLine(reader);
  if (skipBlanks({ units, start: start + width, end }) === end) return false;
  return width === 1 || Number(String.fromCharCode(...units.subarray(start, start + width - 1))) === 1;
}

function skipQuoteMarker(reader: LineReader): void {
  skipMarker(reader, 1);
  if (reader.indent > 0) skipColumns(reader, 1);
}

/**
 * The place at which a line is being read. Markdown counts columns, and a tab reaches to the next multiple of four; a marker can
 * take a part of it. One reader serves all lines of a text.
 */
export interface LineReader {
  readonly units: Uint16Array;
  offset: number;
  column: number;
  /** The place where the line ends, without what ends it. */
  end: number;
  /** The place where the white space from `offset` on ends, how many columns it has, and whether the line ends there. */
  next: number;
  indent: number;
  isBlank: boolean;
}

const space = 0x20;
const tab = 0x09;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;

export function createLineReader(units: Uint16Array): LineReader {
  return { units, offset: 0, column: 0, end: 0, next: 0, indent: 0, isBlank: false };
}

export function startLine(reader: LineReader, start: number, end: number): void {
  reader.offset = start;
  reader.column = 0;
  reader.end = end;
  peekLine(reader);
}

/** Takes up to so many columns; a tab that is wider is taken in part. */
export function skipColumns(reader: LineReader, columns: number): void {
  let left = columns;
  while (left > 0 && reader.offset < reader.end) {
    const isTab = reader.units[reader.offset] === tab;
    const width = isTab ? 4 - (reader.column % 4) : 1;
    const taken = Math.min(width, left);
    reader.column += taken;
    if (taken === width) reader.offset += 1;
    left -= taken;
  }
  peekLine(reader);
}

/** Takes the white space and a marker behind it; all characters of markers are one column wide. */
function skipMarker(reader: LineReader, width: number): void {
  reader.column += reader.indent + width;
  reader.offset = reader.next + width;
  peekLine(reader);
}

/** The unit behind the white space; -1 at the end of the line. */
export function nextUnit({ isBlank, units, next }: LineReader): number {
  return isBlank ? -1 : (units[next] ?? -1);
}

/** The rest of the line behind the white space. */
export function restOfLine({ units, next, end }: LineReader): Stretch {
  return { units, start: next, end };
}

/** Counts how many of one sign stand behind the white space. */
export function countSigns(reader: LineReader, sign: number): number {
  return skipRun(sign, restOfLine(reader)) - reader.next;
}

/** Makes every line end with a line feed, and says where the next line begins. */
export function passLineEnd(units: Uint16Array, end: number): number {
  if (units[end] !== carriageReturn) return end + 1;
  const isPair = units[end + 1] === lineFeed;
  units[end] = isPair ? space : lineFeed;
  return end + (isPair ? 2 : 1);
}

function peekLine(reader: LineReader): void {
  const { units, end } = reader;
  let { offset, column } = reader;
  for (; offset < end; offset += 1) {
    const unit = units[offset];
    if (unit === space) column += 1;
    else if (unit === tab) column += 4 - (column % 4);
    else break;
  }
  reader.next = offset;
  reader.indent = column - reader.column;
  reader.isBlank = offset >= end;
}
