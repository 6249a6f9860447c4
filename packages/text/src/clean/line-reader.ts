import { skipRun } from './find-next.ts';
import type { Stretch } from './page.ts';

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
  lookAhead(reader);
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
  lookAhead(reader);
}

/** Takes the white space and a marker behind it; all characters of markers are one column wide. */
export function skipMarker(reader: LineReader, width: number): void {
  reader.column += reader.indent + width;
  reader.offset = reader.next + width;
  lookAhead(reader);
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

function lookAhead(reader: LineReader): void {
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
