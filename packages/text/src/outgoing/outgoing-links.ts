import type { Span } from '../clean/edits.ts';
import { findAddressEnds, type LinkTail, readLinkTail } from '../clean/link-grammar.ts';
import type { IsOwnAddress } from './own-address.ts';
import { type TextEdit, toCode } from './text-edits.ts';

export interface LinkReader {
  /** The text with its code masked, and its UTF-16 units. */
  readonly text: string;
  readonly units: Uint16Array;
  /** The text with its code, from which addresses are taken. */
  readonly original: string;
  readonly isOwn: IsOwnAddress;
}

/** Changes to the links of a text. */
export interface LinkEdits {
  readonly edits: TextEdit[];
  /** Addresses, which no other rule may change. */
  readonly addresses: Span[];
  /** Texts of links that stay. */
  readonly linked: Span[];
}

/** Longer than the marks of blocks that a line begins with. */
const maxMarks = 80;

interface Opener {
  /** The place of the bracket, or of the `!` before it. */
  readonly at: number;
  readonly from: number;
  readonly isImage: boolean;
}

/**
 * Reads the links and images of a stretch: an address of a host of our own stays; any other one, and that of each image,
 * becomes code behind the text.
 */
export function readLinks(reader: LinkReader, { start, end }: Span, into: LinkEdits): void {
  const { text, units } = reader;
  const stretch = text.slice(start, end);
  const addressEnds = stretch.includes('](') ? findAddressEnds({ units, start, end }) : null;
  const open: Opener[] = [];
  let reached = start;
  for (const { 0: sign, index } of stretch.matchAll(/\\[^\n]|!\[|\[|\]/g)) {
    const at = start + index;
    if (at < reached || sign.startsWith('\\')) continue;
    if (sign !== ']') {
      open.push({ at, from: at + sign.length, isImage: sign === '![' });
      continue;
    }
    const opener = open.pop() ?? null;
    const tail =
      addressEnds === null || text[at + 1] !== '('
        ? null
        : readLinkTail({ units, start: at + 1, end }, addressEnds);
    if (tail !== null) takeLink(reader, { opener, closing: at, tail }, into);
    else if (text[at + 1] === '(') into.edits.push({ start: at + 1, end: at + 1, text: ' ' });
    if (tail !== null) reached = tail.end;
    else if (opener?.isImage === true) escapeImage(opener, into.edits);
  }
  for (const opener of open) if (opener.isImage) escapeImage(opener, into.edits);
}

interface FoundLink {
  readonly opener: Opener | null;
  /** The place of the bracket behind the link's text. */
  readonly closing: number;
  readonly tail: LinkTail;
}

function takeLink(
  { text, original, isOwn }: LinkReader,
  { opener, closing, tail }: FoundLink,
  { edits, addresses, linked }: LinkEdits,
): void {
  const { destination, title, end } = tail;
  const address = original.slice(destination.start, destination.end).replace(/^<|>$/g, '');
  addresses.push({ start: closing + 1, end });
  const isKept = opener?.isImage === false && title === null && isOwn(original.slice(closing + 2, end - 1));
  if (isKept) {
    linked.push({ start: opener.from, end: closing });
    return;
  }
  const words = title === null ? '' : original.slice(title.start, title.end);
  const shown = `${address}${words}`.trim();
  if (shown === '') {
    edits.push({ start: closing + 1, end: closing + 1, text: ' ' });
    if (opener?.isImage === true) escapeImage(opener, edits);
    return;
  }
  if (opener !== null && opener.from === closing) {
    edits.push({ start: opener.at, end, text: toCode(shown) });
    return;
  }
  const isBare = opener !== null && canStandBare(text, opener);
  if (opener !== null && (isBare || opener.isImage))
    edits.push({ start: opener.at, end: opener.from, text: isBare ? '' : '[' });
  edits.push({ start: closing, end, text: `${isBare ? '' : ']'} (${toCode(shown)})` });
}

/** Tells whether the text of a link means nothing new without its brackets: beside a sign before it, or as the beginning of a line. */
function canStandBare(text: string, { at, from }: Opener): boolean {
  const before = text.slice(Math.max(0, at - maxMarks), at);
  const isApart = /(?:^|[\s([_"'|])$/.test(before);
  const isWord = /^\p{L}/u.test(text.slice(from, from + 2));
  return (
    isApart && (isWord || !/^[\s\d>*+.)#\ue000\ue001-]*$/.test(before.slice(before.lastIndexOf('\n') + 1)))
  );
}

/** An image whose address is defined elsewhere. */
function escapeImage({ at }: Opener, edits: TextEdit[]): void {
  edits.push({ start: at + 1, end: at + 1, text: '\\' });
}
