import type { Span } from './edits.ts';
import { addCut, type Content } from './findings.ts';
import { findAddressEnds, type LinkTail, readLinkTail, readReferenceLabel } from './link-grammar.ts';
import { isPlainToken } from './shown-attributes.ts';

interface Opener {
  /** Behind the bracket. */
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
  /** So many of the openers cannot begin links any more: there is a link in them, and links hold no links. */
  spent: number;
  /** See `findAddressEnds`; made when the first `](` is met. */
  addressEnds: ReadonlyMap<number, number> | null;
}

const openingParenthesis = 0x28;
const openingBracket = 0x5b;

export function createBracketReader(read: Content, isDefined: BracketReader['isDefined']): BracketReader {
  return { read, isDefined, openers: [], spent: 0, addressEnds: null };
}

/** Says where to go on. */
export function openBracket({ openers }: BracketReader, { from, isImage }: Omit<Opener, 'hasInner'>): number {
  openers.push({ from, isImage, hasInner: false });
  return from;
}

/** Says where to go on. */
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
  const label = hasInner ? '' : readLabel(reader, text);
  if (label.startsWith('^')) read.references.push(label);
  if (isSpent) return end + 1;
  const isTail = read.content.charCodeAt(end + 1) === openingParenthesis;
  const tail = isTail ? readTail(reader, end + 1) : null;
  const linkEnd = tail?.end ?? readReference(reader, { label, start: end + 1 });
  if (linkEnd === null) return end + 1;
  if (tail !== null) cutLink(read, { text, tail, isImage });
  else if (isImage) cutImageText(read, text);
  if (!isImage) reader.spent = openers.length;
  return linkEnd;
}

function readTail(reader: BracketReader, start: number): LinkTail | null {
  const { content } = reader.read;
  reader.addressEnds ??= findAddressEnds(content);
  return readLinkTail(content, { start, ends: reader.addressEnds });
}

function readLabel({ read, isDefined }: BracketReader, { start, end }: Span): string {
  return isDefined === null || end - start > 999 ? '' : read.content.slice(start, end);
}

/** Where the link ends whose definition is named by the label behind its bracket, or else by its own; null for none. */
function readReference(
  { read, isDefined }: BracketReader,
  { label, start }: { readonly label: string; readonly start: number },
): number | null {
  if (isDefined === null) return null;
  const { content } = read;
  const given = content.charCodeAt(start) === openingBracket ? readReferenceLabel(content, start) : null;
  if (given?.includes('`') === true) read.isDoubtful = true;
  const name = given === null || given === '' ? label : given;
  if (name.trim() === '' || !isDefined(name)) return null;
  read.references.push(name);
  return given === null ? start : start + given.length + 2;
}

interface FoundLink {
  readonly text: Span;
  readonly tail: LinkTail;
  readonly isImage: boolean;
}

function cutLink(read: Content, { text, tail, isImage }: FoundLink): void {
  const { content } = read;
  // Not every reader takes this for a link; then backticks in its address begin code.
  if (content.slice(text.end, tail.end).includes('`')) read.isDoubtful = true;
  if (isImage) cutImageText(read, text);
  else if (content.slice(text.start, text.end).trim() === '') {
    addCut(read, { start: text.start - 1, end: tail.end }, 'hidden-element');
    return;
  }
  const address = findSpacedAddress(content, tail.destination);
  if (address !== null) addCut(read, address, 'hidden-attribute');
  if (tail.title !== null) addCut(read, tail.title, 'link-title');
}

function cutImageText(read: Content, text: Span): void {
  if (!isPlainToken(read.content.slice(text.start, text.end))) addCut(read, text, 'image-text');
}

/** What `<…>` holds where an address should be: with a space in it, it is no address. */
export function findSpacedAddress(content: string, { start, end }: Span): Span | null {
  const isSpaced = content[start] === '<' && /\s/.test(content.slice(start, end));
  return isSpaced ? { start: start + 1, end: end - 1 } : null;
}
