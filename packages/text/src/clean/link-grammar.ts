import type { Span } from './edits.ts';
import { findNext, findUnit, holds, skipBlanks, skipUnits, toUnitSet } from './find-next.ts';
import {
  isEscapable,
  maxLabelLength,
  readDestination,
  readLabel,
  readTitle,
  skipSpace,
} from './link-parts.ts';
import type { Stretch } from './page.ts';
import { whiteSpace } from './unit-sets.ts';

const addressSigns = toUnitSet(`\\()\x7f${String.fromCharCode(...Array(0x21).keys())}`);
const angledEnds = toUnitSet('<>\n');
const quotes = toUnitSet('"\'(');
const signs = {
  lineFeed: 0x0a,
  opening: 0x28,
  closing: 0x29,
  colon: 0x3a,
  less: 0x3c,
  openingBracket: 0x5b,
  backslash: 0x5c,
  closingBracket: 0x5d,
};

export interface LinkTail {
  /** Behind the closing parenthesis. */
  readonly end: number;
  readonly destination: Span;
  /** With the white space before it. */
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
