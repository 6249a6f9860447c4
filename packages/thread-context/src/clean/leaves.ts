import type { Span } from './edits.ts';
import { findHtmlBlockEnd, type HtmlBlockEnd } from './html-block-rules.ts';
import { type LineReader, nextCode, skipColumns } from './line-reader.ts';

/** A block that takes text, while it is open. */
export type Leaf =
  | { readonly kind: 'paragraph' | 'heading'; readonly lines: Span[] }
  | { readonly kind: 'fence'; readonly mark: number; readonly length: number; readonly indent: number }
  | { readonly kind: 'html'; readonly lines: Span[]; readonly end: HtmlBlockEnd };

/** What begins on a line. */
export interface OpenedLeaf {
  /** Null for a rule between paragraphs, which holds nothing. */
  readonly leaf: Leaf | null;
  /** It ends with its first line. */
  readonly isOver: boolean;
  /** Of a fence: what stands behind the signs. */
  readonly info: Span | null;
}

interface ContinuedLeaf {
  /** The line is a line of the block, or ends it, and nothing else can begin on it. */
  readonly takesLine: boolean;
  readonly isOver: boolean;
  readonly code: Span | null;
}

const beginsAnew: ContinuedLeaf = { takesLine: false, isOver: false, code: null };
const endsBefore: ContinuedLeaf = { takesLine: false, isOver: true, code: null };

const endsHere: ContinuedLeaf = { takesLine: true, isOver: true, code: null };

const heading = /#{1,6}(?![^ \t\n\r])/y;
const rule = /(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})(?![^\n\r])/y;

const signs = { backtick: 0x60, tilde: 0x7e, hash: 0x23, less: 0x3c, star: 0x2a, dash: 0x2d, low: 0x5f };

/** Reads the next line of a block, its containers' markers taken off; paragraphs go on elsewhere. */
export function continueLeaf(leaf: Leaf, reader: LineReader): ContinuedLeaf {
  if (leaf.kind === 'fence') return continueFence(leaf, reader);
  if (leaf.kind !== 'html') return leaf.kind === 'paragraph' && reader.isBlank ? endsBefore : beginsAnew;
  if (leaf.end === null && reader.isBlank) return endsHere;
  const line = { start: reader.offset, end: reader.end };
  leaf.lines.push(line);
  return {
    takesLine: true,
    isOver: leaf.end?.test(reader.text.slice(line.start, line.end)) === true,
    code: null,
  };
}

function continueFence(leaf: Leaf & { readonly kind: 'fence' }, reader: LineReader): ContinuedLeaf {
  if (reader.indent <= 3 && nextCode(reader) === leaf.mark) {
    const length = markLength(reader, leaf.mark);
    if (length >= leaf.length && /^[ \t]*$/.test(reader.text.slice(reader.next + length, reader.end)))
      return endsHere;
  }
  skipColumns(reader, Math.min(leaf.indent, reader.indent));
  return { takesLine: true, isOver: false, code: { start: reader.offset, end: reader.end } };
}

/** The block that begins here, if one does that is no plain paragraph. `inParagraph`: it would end one. */
export function openLeaf(reader: LineReader, inParagraph: boolean): OpenedLeaf | null {
  const line = { start: reader.next, end: reader.end };
  switch (nextCode(reader)) {
    case signs.backtick:
    case signs.tilde:
      return openFence(reader);
    case signs.hash: {
      const isHeading = matchHere(heading, reader) !== null;
      return isHeading ? { leaf: { kind: 'heading', lines: [line] }, isOver: true, info: null } : null;
    }
    case signs.less: {
      const text = reader.text.slice(line.start, line.end);
      const end = findHtmlBlockEnd(text, inParagraph);
      if (end === undefined) return null;
      return { leaf: { kind: 'html', lines: [line], end }, isOver: end?.test(text) === true, info: null };
    }
    case signs.star:
    case signs.dash:
    case signs.low:
      return matchHere(rule, reader) === null ? null : { leaf: null, isOver: true, info: null };
    default:
      return null;
  }
}

function openFence(reader: LineReader): OpenedLeaf | null {
  const mark = nextCode(reader);
  const length = markLength(reader, mark);
  if (length < 3) return null;
  const info = { start: reader.next + length, end: reader.end };
  if (mark === signs.backtick && reader.text.slice(info.start, info.end).includes('`')) return null;
  return { leaf: { kind: 'fence', mark, length, indent: reader.indent }, isOver: false, info };
}

function markLength({ text, next, end }: LineReader, mark: number): number {
  let index = next;
  while (index < end && text.charCodeAt(index) === mark) index += 1;
  return index - next;
}

function matchHere(pattern: RegExp, { text, next }: LineReader): RegExpExecArray | null {
  pattern.lastIndex = next;
  return pattern.exec(text);
}
