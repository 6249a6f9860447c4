import type { Edit, Span } from './edits.ts';
import { addCut, type Content, cutRest } from './findings.ts';
import {
  findAddressEnds,
  isEmptyStretch,
  type LinkTail,
  maxLabelLength,
  mayBeLinkTail,
  readLabel,
  readLinkTail,
} from './link-grammar.ts';
import { findNext, findUnit, type Page, type Stretch, whiteSpace } from './page.ts';
import { isPlainToken, toPlainAddress } from './prose.ts';

interface Opener {
  /** The place behind the bracket. */
  readonly from: number;
  readonly isImage: boolean;
  /** Brackets stand in it, hence it is no label. */
  hasInner: boolean;
}

/** Pairs the brackets of links and images, and takes out what neither shows. */
export interface BracketReader {
  readonly read: Content;
  readonly isDefined: ((label: string) => boolean) | null;
  readonly openers: Opener[];
  /** The number of openers that cannot begin links any more: there is a link in them, and links hold no links. */
  spent: number;
  /** See `findAddressEnds`; made when the first `](` is met. */
  addressEnds: ReadonlyMap<number, number> | null;
}

const signs = { openingParenthesis: 0x28, less: 0x3c, openingBracket: 0x5b, backtick: 0x60 };

/** Shorter addresses read like nothing. */
const shortestProse = 8;

export function createBracketReader(read: Content, isDefined: BracketReader['isDefined']): BracketReader {
  return { read, isDefined, openers: [], spent: 0, addressEnds: null };
}

/** Reads an opening bracket, and gives the place behind it. */
export function openBracket({ openers }: BracketReader, { from, isImage }: Omit<Opener, 'hasInner'>): number {
  openers.push({ from, isImage, hasInner: false });
  return from;
}

/** Reads a closing bracket and the link that it ends, and gives the place behind them. */
export function closeBracket(reader: BracketReader, end: number): number {
  const { openers, read } = reader;
  const opener = openers.pop();
  if (opener === undefined) return end + 1;
  const { isImage, from, hasInner } = opener;
  const isSpent = openers.length < reader.spent && !isImage;
  reader.spent = Math.min(reader.spent, openers.length);
  const parent = openers.at(-1);
  if (parent !== undefined) parent.hasInner = true;
  const text = { start: from, end };
  const label = hasInner ? '' : takeLabel(reader, text);
  if (label.startsWith('^')) {
    read.references.push(label);
    read.hiddenLabels.push({ start: from + 1, end, label });
  }
  if (isSpent) return end + 1;
  const tail = read.units[end + 1] === signs.openingParenthesis ? readTail(reader, end + 1) : null;
  const linkEnd = tail?.end ?? readReference(reader, { label, start: end + 1 });
  if (linkEnd === null && read.isTorn && isTornLink(read, { text, isImage }))
    return cutRest(read, isImage ? from : end + 1, isImage ? 'image-text' : 'link-title');
  if (linkEnd === null) return end + 1;
  if (tail !== null) cutLink(read, { text, tail, isImage });
  else if (isImage) cutImageText(read, text);
  if (!isImage) reader.spent = openers.length;
  read.links.push({ start: from - 1, end: linkEnd });
  return linkEnd;
}

function readTail(reader: BracketReader, start: number): LinkTail | null {
  const { units, end } = reader.read;
  reader.addressEnds ??= findAddressEnds(reader.read);
  return readLinkTail({ units, start, end }, reader.addressEnds);
}

function takeLabel({ read, isDefined }: BracketReader, { start, end }: Span): string {
  return isDefined === null || end - start > maxLabelLength ? '' : read.text.slice(start, end);
}

/** Finds where the link ends whose definition is named by the label behind its bracket, or else by its own; null for none. */
function readReference(
  { read, isDefined }: BracketReader,
  { label, start }: { readonly label: string; readonly start: number },
): number | null {
  if (isDefined === null) return null;
  const { text, units, end } = read;
  const given = units[start] === signs.openingBracket ? readLabel({ units, start, end }) : null;
  if (given !== null && holdsBacktick({ units, start: given.start, end: given.end })) read.isDoubtful = true;
  const isNamed = given !== null && given.start < given.end;
  const name = isNamed ? text.slice(given.start, given.end) : label;
  if (name.trim() === '' || !isDefined(name)) return null;
  read.references.push(name);
  if (given !== null && isNamed) read.hiddenLabels.push({ start: given.start, end: given.end, label: name });
  return given === null ? start : given.end + 1;
}

/** Tells whether a cut has left open what hides the text of an image, or what a link hides. */
function isTornLink({ units, end }: Content, { text, isImage }: Omit<FoundLink, 'tail'>): boolean {
  const start = text.end + 1;
  if (isImage && (start === end || units[start] === signs.openingBracket)) return true;
  return units[start] === signs.openingParenthesis && mayBeLinkTail({ units, start, end });
}

interface FoundLink {
  readonly text: Span;
  readonly tail: LinkTail;
  readonly isImage: boolean;
}

function cutLink(read: Content, { text, tail, isImage }: FoundLink): void {
  const { units } = read;
  // Not every reader takes this for a link; then backticks in its address begin code.
  if (holdsBacktick({ units, start: text.end, end: tail.end })) read.isDoubtful = true;
  if (isImage) cutImageText(read, text);
  else if (isEmptyStretch({ units, start: text.start, end: text.end })) {
    addCut(read, { start: text.start - 1, end: tail.end }, 'hidden-element');
    return;
  }
  const address = findAddressEdit(read, tail.destination);
  if (address !== null) read.cuts.push(address);
  if (tail.title !== null) addCut(read, tail.title, 'link-title');
}

function cutImageText(read: Content, text: Span): void {
  if (!isPlainToken(read.text.slice(text.start, text.end))) addCut(read, text, 'image-text');
}

function holdsBacktick(stretch: Stretch): boolean {
  return findUnit(signs.backtick, stretch) !== null;
}

/** Takes out what stands in the place of an address and is none; null for an address. */
export function findAddressEdit(
  { text, units }: Pick<Page, 'text' | 'units'>,
  { start, end }: Span,
): Edit | null {
  const isSpaced = units[start] === signs.less && findNext(whiteSpace, { units, start, end }) < end;
  if (isSpaced) return { start: start + 1, end: end - 1, kind: 'hidden-attribute' };
  if (end - start < shortestProse) return null;
  const address = text.slice(start, end);
  const replacement = toPlainAddress(address);
  return replacement === address ? null : { start, end, kind: 'link-address', replacement };
}
