import { type LineReader, nextCode, skipColumns, skipMarker } from './line-reader.ts';

/** A block that holds other blocks: a quote, an item of a list, a footnote. */
export interface Container {
  readonly kind: 'quote' | 'item' | 'footnote';
  /** Columns that its lines are indented by. */
  readonly indent: number;
  /** Nothing stands in it yet. */
  isEmpty: boolean;
  /** Where it begins in the text. */
  readonly start: number;
  /** Of a footnote, else empty. */
  readonly label: string;
}

const greaterThan = 0x3e;
const openingBracket = 0x5b;
const footnote = /\[\^([^\]\s]{1,999})\]:/y;
const itemMarker = /(?:[*+-]|(\d{1,9})[.)])(?![^ \t\r\n])/y;

/** Reads what continues a container on a line; false when the line is not in it. */
export function continuesContainer({ kind, indent, isEmpty }: Container, reader: LineReader): boolean {
  if (kind === 'quote') {
    if (reader.indent > 3 || nextCode(reader) !== greaterThan) return false;
    skipQuoteMarker(reader);
    return true;
  }
  if (reader.isBlank) return kind === 'footnote' || !isEmpty;
  if (reader.indent < indent) return false;
  skipColumns(reader, indent);
  return true;
}

/** Opens the container that begins here, if one does. `inParagraph`: it would interrupt a paragraph. */
export function openContainer(reader: LineReader, inParagraph: boolean): Container | null {
  const code = nextCode(reader);
  const start = reader.next;
  if (code === greaterThan) {
    skipQuoteMarker(reader);
    return { kind: 'quote', indent: 0, isEmpty: false, start, label: '' };
  }
  if (code !== openingBracket) return openItem(reader, inParagraph);
  footnote.lastIndex = start;
  const found = footnote.exec(reader.text);
  if (found === null) return null;
  skipMarker(reader, found[0].length);
  return { kind: 'footnote', indent: 4, isEmpty: false, start, label: `^${found[1] ?? ''}` };
}

/** @see https://spec.commonmark.org/0.31.2/#list-items */
function openItem(reader: LineReader, inParagraph: boolean): Container | null {
  itemMarker.lastIndex = reader.next;
  const found = itemMarker.exec(reader.text);
  if (found === null) return null;
  const start = reader.next;
  const width = found[0].length;
  if (inParagraph && !(Number(found[1] ?? 1) === 1 && hasText(reader, start + width))) return null;
  const before = reader.indent;
  skipMarker(reader, width);
  const padding = reader.isBlank || reader.indent > 4 ? 1 : reader.indent;
  skipColumns(reader, padding);
  return { kind: 'item', indent: before + width + padding, isEmpty: true, start, label: '' };
}

function hasText({ text, end }: LineReader, from: number): boolean {
  return /[^ \t]/.test(text.slice(from, end));
}

function skipQuoteMarker(reader: LineReader): void {
  skipMarker(reader, 1);
  if (reader.indent > 0) skipColumns(reader, 1);
}
