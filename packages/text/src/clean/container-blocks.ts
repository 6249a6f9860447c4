import { holds, skipBlanks, toUnitSet } from './find-next.ts';
import { type LineReader, nextUnit, restOfLine, skipColumns, skipMarker } from './line-reader.ts';

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
const footnote = /\[\^([^\]\s]{1,999})\]:/y;
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
