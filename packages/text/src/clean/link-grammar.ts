import type { Span } from './edits.ts';
import {
  findNext,
  findUnit,
  holds,
  type Stretch,
  skipBlanks,
  skipUnits,
  toUnitSet,
  whiteSpace,
} from './page.ts';

const addressSigns = toUnitSet(`\\()\x7f${String.fromCharCode(...Array(0x21).keys())}`);
const angledEnds = toUnitSet('<>\n');
const quotes = toUnitSet('"\'(');

export interface LinkTail {
  /** The place behind the closing parenthesis. */
  readonly end: number;
  readonly destination: Span;
  /** The title, with the white space before it. */
  readonly title: Span | null;
}

/** All places are in the text; the end is behind the last line's end. */
export interface Definition extends LinkTail {
  readonly start: number;
  readonly label: Span;
}

/** Labels are equal whatever their case and white space. */
export function normalizeLabel(label: string): string {
  if (/^[\w^-]*$/.test(label)) return label.toUpperCase();
  return label
    .trim()
    .replace(/[ \t\r\n]+/g, ' ')
    .toLowerCase()
    .toUpperCase();
}

/** Tells whether nothing but white space stands there. */
export function isEmptyStretch(stretch: Stretch): boolean {
  return skipUnits(whiteSpace, stretch) === stretch.end;
}

/**
 * Finds where the address ends that begins behind each `(`: before the `)` of the same pair, or white space that stands in
 * no other pair. All at once, as addresses without an end would be read again and again.
 */
export function findAddressEnds({ units, start, end }: Stretch): ReadonlyMap<number, number> {
  const ends = new Map<number, number>();
  let open: number[] = [];
  for (let index = start; ; index += 1) {
    index = findNext(addressSigns, { units, start: index, end });
    const unit = index < end ? units[index] : undefined;
    if (unit === signs.backslash) index += isEscapable(units[index + 1]) ? 1 : 0;
    else if (unit === signs.opening) open.push(index);
    else {
      const begin = open.pop();
      if (begin !== undefined) ends.set(begin, index);
      if (unit === undefined) return ends;
      if (unit !== signs.closing) open = [];
    }
  }
}

/**
 * Reads `(address "title")` at the start of a stretch; the ends are those of `findAddressEnds`.
 *
 * @see https://spec.commonmark.org/0.31.2/#inline-link
 */
export function readLinkTail(
  { units, start, end }: Stretch,
  addressEnds: ReadonlyMap<number, number>,
): LinkTail | null {
  const begin = skipSpace({ units, start: start + 1, end });
  const isAtOnce = begin === start + 1 && units[begin] !== signs.less;
  const destinationEnd = isAtOnce
    ? (addressEnds.get(start) ?? null)
    : readDestination({ units, start: begin, end });
  if (destinationEnd === null) return null;
  const title = readTitle({ units, start: destinationEnd, end });
  const closing = skipSpace({ units, start: title?.end ?? destinationEnd, end });
  if (closing >= end || units[closing] !== signs.closing) return null;
  return { end: closing + 1, destination: { start: begin, end: destinationEnd }, title };
}

/**
 * Reads `[label]: address "title"` at the start of a stretch.
 *
 * @see https://spec.commonmark.org/0.31.2/#link-reference-definition
 */
export function readDefinition({ units, start, end }: Stretch): Definition | null {
  const label = readLabel({ units, start, end });
  if (
    label === null ||
    units[label.end + 1] !== signs.colon ||
    isEmptyStretch({ units, start: label.start, end: label.end })
  )
    return null;
  const begin = skipSpace({ units, start: label.end + 2, end });
  const destinationEnd = readDestination({ units, start: begin, end });
  if (destinationEnd === null || destinationEnd === begin) return null;
  const destination = { start: begin, end: destinationEnd };
  const title = readTitle({ units, start: destinationEnd, end });
  const titleEnd = title === null ? null : passLineEnd({ units, start: title.end, end });
  if (titleEnd !== null) return { start, label, end: titleEnd, destination, title };
  const lineEnd = passLineEnd({ units, start: destinationEnd, end });
  return lineEnd === null ? null : { start, label, end: lineEnd, destination, title: null };
}

/** Tells whether a stretch that ends too early may be a definition, as far as it goes. */
export function mayBeDefinition({ units, start, end }: Stretch): boolean {
  if (start >= end || units[start] !== signs.openingBracket) return false;
  const label = readLabel({ units, start, end });
  if (label !== null) return label.end + 1 === end || units[label.end + 1] === signs.colon;
  return end - start <= maxLabelLength && findUnit(signs.closingBracket, { units, start, end }) === null;
}

/** Tells whether a stretch that ends too early may be `(address "title")`, as far as it goes. */
export function mayBeLinkTail({ units, start, end }: Stretch): boolean {
  const begin = skipSpace({ units, start: start + 1, end });
  const addressEnd = readDestination({ units, start: begin, end });
  if (addressEnd === null)
    return units[begin] === signs.less && findNext(angledEnds, { units, start: begin + 1, end }) === end;
  const title = skipSpace({ units, start: addressEnd, end });
  return (
    title >= end || (holds(quotes, units[title]) && readTitle({ units, start: addressEnd, end }) === null)
  );
}

/** Finds where the next line begins, when nothing else stands on this one; else null. */
function passLineEnd({ units, start, end }: Stretch): number | null {
  const index = skipBlanks({ units, start, end });
  if (index >= end) return end;
  return units[index] === signs.lineFeed ? index + 1 : null;
}

const angledSigns = toUnitSet('<>\n\\');
const lineEnds = toUnitSet('\n\r\u2028\u2029');
const maxParentheses = 32;
/** Longer labels are none. */
export const maxLabelLength = 999;
const signs = {
  lineFeed: 0x0a,
  quote: 0x22,
  apostrophe: 0x27,
  opening: 0x28,
  closing: 0x29,
  colon: 0x3a,
  less: 0x3c,
  greater: 0x3e,
  openingBracket: 0x5b,
  backslash: 0x5c,
  closingBracket: 0x5d,
};

/** Tells whether a backslash before the unit takes its meaning away: ASCII punctuation. */
export function isEscapable(unit: number | undefined): boolean {
  return holds(punctuation, unit);
}

const punctuation = toUnitSet('!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~');

/** Reads `[label]` at the start of a stretch, and says where the label stands; null where there is none. */
export function readLabel({ units, start, end }: Stretch): Span | null {
  let index = start + 1;
  for (let count = 0; count <= maxLabelLength && index < end; count += 1) {
    const unit = units[index];
    if (unit === signs.openingBracket) return null;
    if (unit === signs.closingBracket) return { start: start + 1, end: index };
    index += unit === signs.backslash ? 2 : 1;
  }
  return null;
}

/** Takes the white space before a title with it. */
function readTitle({ units, start, end }: Stretch): Span | null {
  const begin = skipSpace({ units, start, end });
  const opening = units[begin];
  const closing = opening === signs.opening ? signs.closing : opening;
  const isQuoted = closing === signs.quote || closing === signs.apostrophe || opening === signs.opening;
  if (begin === start || begin >= end || !isQuoted) return null;
  for (let index = begin + 1; index < end; index += 1) {
    const unit = units[index];
    if (unit === closing) return { start, end: index + 1 };
    if (unit === signs.opening && opening === signs.opening) return null;
    if (unit === signs.backslash) index += 1;
  }
  return null;
}

/** Finds where an address ends; null where none can stand. Parentheses in it come in pairs, up to a depth. */
function readDestination({ units, start, end }: Stretch): number | null {
  if (start < end && units[start] === signs.less) return readAngled({ units, start, end });
  let depth = 0;
  for (let index = start; ; index += 1) {
    const unit = index < end ? (units[index] ?? 0) : 0;
    if (unit <= 0x20 || unit === 0x7f) return depth === 0 ? index : null;
    if (unit === signs.backslash) index += isEscapable(units[index + 1]) ? 1 : 0;
    else if (unit === signs.opening) depth += 1;
    else if (unit === signs.closing) depth -= 1;
    if (depth > maxParentheses) return null;
    if (depth < 0) return index;
  }
}

function readAngled({ units, start, end }: Stretch): number | null {
  for (let index = start + 1; ; index += 2) {
    index = findNext(angledSigns, { units, start: index, end });
    if (index >= end) return null;
    if (units[index] === signs.greater) return index + 1;
    if (units[index] !== signs.backslash || holds(lineEnds, units[index + 1])) return null;
  }
}

/** White space with at most one line end in it. */
function skipSpace({ units, start, end }: Stretch): number {
  const index = skipBlanks({ units, start, end });
  return index < end && units[index] === signs.lineFeed
    ? skipBlanks({ units, start: index + 1, end })
    : index;
}
