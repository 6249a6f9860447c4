import { countSigns, type LineReader, nextUnit, restOfLine, skipColumns } from './container-blocks.ts';
import type { Span } from './edits.ts';
import { findMarkdownTagEnd } from './html-tag.ts';
import {
  findUnit,
  holds,
  letters,
  lettersAndDigits,
  type Stretch,
  skipBlanks,
  skipRun,
  skipUnits,
  toUnitSet,
  whiteSpace,
} from './page.ts';

/** A block that takes lines, while it is open. */
export type LeafBlock = TextLeafBlock | FenceLeafBlock;

/** One with markup in its lines. */
export type TextLeafBlock =
  | { readonly kind: 'paragraph' | 'heading'; readonly lines: Span[] }
  | { readonly kind: 'html'; readonly lines: Span[]; readonly end: HtmlBlockEnd };

interface FenceLeafBlock {
  readonly kind: 'fence';
  readonly mark: number;
  readonly length: number;
  readonly indent: number;
}

/** A block that begins on a line. */
export interface OpenedLeafBlock {
  /** Null for a rule between paragraphs, which holds nothing. */
  readonly leaf: LeafBlock | null;
  /** It ends with its first line. */
  readonly isOver: boolean;
  /** The text behind the signs of a fence. */
  readonly info: Span | null;
}

interface ContinuedLeafBlock {
  /** The line is a line of the block, or ends it, and nothing else can begin on it. */
  readonly takesLine: boolean;
  readonly isOver: boolean;
  readonly code: Span | null;
}

const beginsAnew: ContinuedLeafBlock = { takesLine: false, isOver: false, code: null };
const endsBefore: ContinuedLeafBlock = { takesLine: false, isOver: true, code: null };

const endsHere: ContinuedLeafBlock = { takesLine: true, isOver: true, code: null };
const goesOn: ContinuedLeafBlock = { takesLine: true, isOver: false, code: null };
const rule: OpenedLeafBlock = { leaf: null, isOver: true, info: null };

const signs = {
  space: 0x20,
  tab: 0x09,
  backtick: 0x60,
  tilde: 0x7e,
  hash: 0x23,
  slash: 0x2f,
  less: 0x3c,
  greater: 0x3e,
  star: 0x2a,
  dash: 0x2d,
  low: 0x5f,
};

/** Reads the next line of a block, its containers' markers taken off; paragraphs go on elsewhere. */
export function continueLeaf(leaf: LeafBlock, reader: LineReader, text: string): ContinuedLeafBlock {
  if (leaf.kind === 'fence') return continueFence(leaf, reader);
  if (leaf.kind !== 'html') return leaf.kind === 'paragraph' && reader.isBlank ? endsBefore : beginsAnew;
  if (leaf.end === null && reader.isBlank) return endsHere;
  const line = { start: reader.offset, end: reader.end };
  leaf.lines.push(line);
  return endsOn(line, { text, end: leaf.end }) ? endsHere : goesOn;
}

function continueFence(leaf: FenceLeafBlock, reader: LineReader): ContinuedLeafBlock {
  if (reader.indent <= 3 && nextUnit(reader) === leaf.mark) {
    const { units, next, end } = reader;
    const length = countSigns(reader, leaf.mark);
    if (length >= leaf.length && skipBlanks({ units, start: next + length, end }) === end) return endsHere;
  }
  skipColumns(reader, Math.min(leaf.indent, reader.indent));
  return { takesLine: true, isOver: false, code: { start: reader.offset, end: reader.end } };
}

interface LeafPlace {
  readonly text: string;
  /** The block would end a paragraph. */
  readonly inParagraph: boolean;
}

/** The block that begins here, if one does that is no plain paragraph. */
export function openLeaf(reader: LineReader, place: LeafPlace): OpenedLeafBlock | null {
  switch (nextUnit(reader)) {
    case signs.backtick:
    case signs.tilde:
      return openFence(reader);
    case signs.hash:
      return openHeading(reader);
    case signs.less:
      return openHtml(reader, place);
    case signs.star:
    case signs.dash:
    case signs.low:
      return isRule(reader) ? rule : null;
    default:
      return null;
  }
}

function openFence(reader: LineReader): OpenedLeafBlock | null {
  const { units, next, end } = reader;
  const mark = nextUnit(reader);
  const length = countSigns(reader, mark);
  if (length < 3) return null;
  const info = { units, start: next + length, end };
  if (mark === signs.backtick && findUnit(mark, info) !== null) return null;
  return { leaf: { kind: 'fence', mark, length, indent: reader.indent }, isOver: false, info };
}

function openHeading(reader: LineReader): OpenedLeafBlock | null {
  const line = restOfLine(reader);
  const signsEnd = skipRun(signs.hash, line);
  const isHeading = signsEnd <= line.start + 6 && (signsEnd === line.end || isBlank(line.units[signsEnd]));
  return isHeading ? { leaf: { kind: 'heading', lines: [line] }, isOver: true, info: null } : null;
}

function openHtml(reader: LineReader, { text, inParagraph }: LeafPlace): OpenedLeafBlock | null {
  const line = restOfLine(reader);
  const end = findHtmlBlockEnd(line, { text, inParagraph });
  if (end === undefined) return null;
  return { leaf: { kind: 'html', lines: [line], end }, isOver: endsOn(line, { text, end }), info: null };
}

function endsOn(line: Span, { text, end }: { readonly text: string; readonly end: HtmlBlockEnd }): boolean {
  return end?.test(text.slice(line.start, line.end)) === true;
}

/** Three of the same signs or more, and nothing else on the line. */
function isRule(reader: LineReader): boolean {
  const { units, start, end } = restOfLine(reader);
  const sign = units[start];
  let count = 0;
  for (let index = start; index < end; index += 1) {
    const unit = units[index];
    if (unit === sign) count += 1;
    else if (!isBlank(unit)) return false;
  }
  return count >= 3;
}

function isBlank(unit: number | undefined): boolean {
  return unit === signs.space || unit === signs.tab;
}

/** Elements that begin a block even in the middle of a paragraph. */
const blockNames = new Set(
  (
    'address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt ' +
    'fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link ' +
    'main menu menuitem nav noframes ol optgroup option p param search section source summary table tbody td tfoot th ' +
    'thead title tr track ul'
  ).split(' '),
);
const verbatimNames = new Set(['script', 'pre', 'textarea', 'style']);
const verbatimEnd = /<\/(?:script|pre|textarea|style)>/i;

/** The end of a block of HTML: on the line with this in it; null: before a blank line. */
type HtmlBlockEnd = RegExp | null;

const declarations: readonly (readonly [begin: RegExp, end: RegExp])[] = [
  [/^<!--/, /-->/],
  [/^<\?/, /\?>/],
  [/^<![A-Za-z]/, />/],
  [/^<!\[CDATA\[/, /\]\]>/],
];
const declarationSigns = toUnitSet('!?');
const nameEnds = toUnitSet(' \t\v\f>');

/**
 * Tells how the block of HTML ends that a line begins; undefined when it begins none.
 *
 * @see https://spec.commonmark.org/0.31.2/#html-blocks
 */
function findHtmlBlockEnd(line: Stretch, { text, inParagraph }: LeafPlace): HtmlBlockEnd | undefined {
  const { units, start, end } = line;
  const isClosing = units[start + 1] === signs.slash;
  const nameStart = start + (isClosing ? 2 : 1);
  if (nameStart >= end || !holds(letters, units[nameStart])) return findDeclarationEnd(line, text);
  const nameEnd = skipUnits(lettersAndDigits, { units, start: nameStart, end });
  const name = text.slice(nameStart, nameEnd).toLowerCase();
  const isEnd = nameEnd === end || holds(nameEnds, units[nameEnd]);
  if (!isClosing && isEnd && verbatimNames.has(name)) return verbatimEnd;
  const isWholeName = isEnd || (units[nameEnd] === signs.slash && units[nameEnd + 1] === signs.greater);
  if (isWholeName && blockNames.has(name)) return null;
  return inParagraph || !isLoneTag(line) ? undefined : null;
}

function findDeclarationEnd({ units, start, end }: Stretch, text: string): RegExp | undefined {
  if (!holds(declarationSigns, units[start + 1])) return undefined;
  const line = text.slice(start, end);
  return declarations.find(([begin]) => begin.test(line))?.[1];
}

/** Tells whether nothing but one tag stands on the line. */
function isLoneTag({ units, start, end }: Stretch): boolean {
  let last = end - 1;
  while (last > start && holds(whiteSpace, units[last])) last -= 1;
  if (units[last] !== signs.greater) return false;
  const tagEnd = findMarkdownTagEnd({ units, start, end });
  return typeof tagEnd === 'number' && skipBlanks({ units, start: tagEnd, end }) === end;
}
