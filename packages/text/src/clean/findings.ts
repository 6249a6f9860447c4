import { classifyCharacter, isSuspicious } from './character-classes.ts';
import type { Edit, RemovalKind, Span } from './edits.ts';
import type { HtmlAttribute, HtmlTag } from './html-tag.ts';
import { lettersAndDigits, type Page, type Stretch, skipUnits } from './page.ts';
import { isPlainToken, toPlainAddress } from './prose.ts';

/** A tag with the end of the block that it stands in. */
export interface PlacedTag {
  readonly tag: HtmlTag;
  readonly blockEnd: number;
}

/** The findings of reading blocks; all places are in the text. */
export interface Findings {
  readonly cuts: Edit[];
  readonly code: Span[];
  readonly tags: PlacedTag[];
  /** Links from the bracket before their text to the end of their address. */
  readonly links: Span[];
  /** Labels that something refers to, as written; footnotes with their `^`. */
  readonly references: string[];
  /** References whose label is not shown where it stands. */
  readonly hiddenLabels: (Span & { readonly label: string })[];
}

/** A stretch of a page while it is read: a block, or a cell of a table. */
export interface Content extends Findings, Omit<Page, 'isCut'>, Span {
  /** Two readers of Markdown could disagree on which backticks belong together. */
  isDoubtful: boolean;
  /** The text was cut within it. */
  readonly isTorn: boolean;
}

export interface ContentPlace {
  readonly page: Page;
  /** Takes what is found. */
  readonly into: Findings;
}

export function emptyFindings(): Findings {
  return { cuts: [], code: [], tags: [], links: [], references: [], hiddenLabels: [] };
}

/** Begins to read a stretch; what is found is added to what was found before. */
export function startContent({ start, end }: Span, { page, into }: ContentPlace): Content {
  const { text, units, isCut } = page;
  const { cuts, code, tags, links, references, hiddenLabels } = into;
  const isTorn = isCut && end === text.length;
  const found = { cuts, code, tags, links, references, hiddenLabels };
  return { text, units, start, end, ...found, isDoubtful: false, isTorn };
}

type FindingsMark = { readonly [List in keyof Findings]: number };

/** The number of findings so far; `forgetSince` goes back to there. */
export function markFindings({ cuts, code, tags, links, references, hiddenLabels }: Findings): FindingsMark {
  return {
    cuts: cuts.length,
    code: code.length,
    tags: tags.length,
    links: links.length,
    references: references.length,
    hiddenLabels: hiddenLabels.length,
  };
}

export function forgetSince(found: Findings, mark: FindingsMark): void {
  found.cuts.length = mark.cuts;
  found.code.length = mark.code;
  found.tags.length = mark.tags;
  found.links.length = mark.links;
  found.references.length = mark.references;
  found.hiddenLabels.length = mark.hiddenLabels;
}

export function addCut({ cuts }: Content, { start, end }: Span, kind: RemovalKind): void {
  cuts.push({ start, end, kind });
}

/** Takes out everything from an index on, and says where to go on. */
export function cutRest(read: Content, start: number, kind: RemovalKind): number {
  addCut(read, { start, end: read.end }, kind);
  return read.end;
}

/** Takes a tag, and takes out the attributes that are not shown. */
export function addTag(read: Content, tag: HtmlTag): void {
  read.tags.push({ tag, blockEnd: read.end });
  for (const hidden of findHiddenAttributes(tag)) addCut(read, hidden, 'hidden-attribute');
}

const size = /^\d{1,4}(?:\.\d{1,2})?(?:px|em|rem|%)?$/;
const flag = /^(?:true|false|open|reversed|checked|disabled)?$/;

/** Attributes that decide how something looks, with all the values that need no word of their own. */
const layout: ReadonlyMap<string, RegExp> = new Map([
  ['align', /^(?:left|right|center|justify|middle|top|bottom)$/],
  ['valign', /^(?:top|middle|bottom|baseline)$/],
  ['dir', /^(?:ltr|rtl|auto)$/],
  ['lang', /^[a-z]{2,3}(?:-[a-z]{2})?$/],
  ['type', /^(?:[1ai]|checkbox|radio|button|disc|circle|square|image\/[a-z]{3,4}|video\/mp4)$/],
  ['loading', /^(?:lazy|eager)$/],
  ['target', /^_(?:blank|self|top|parent)$/],
  [
    'color',
    /^(?:#[0-9a-f]{3,8}|red|green|blue|black|gr[ae]y|orange|yellow|purple|white|brown|cyan|magenta)$/,
  ],
  ['rel', /^(?:(?:noopener|noreferrer|nofollow|ugc|external)(?: |$)){1,5}$/],
  ['media', /^\((?:prefers-color-scheme: ?(?:dark|light)|(?:min|max)-width: ?\d{1,5}px)\)$/],
  ...['width', 'height', 'size', 'border', 'colspan', 'rowspan', 'start'].map(
    (name) => [name, size] as const,
  ),
  ...['open', 'reversed', 'checked', 'disabled'].map((name) => [name, flag] as const),
]);
/** Addresses, which an agent may have to open. */
const addresses = new Set(['href', 'src', 'srcset', 'cite']);

/** The attributes of a tag that no page shows. */
function findHiddenAttributes({ attributes, isClosing }: HtmlTag): readonly Span[] {
  return attributes.length === 0
    ? attributes
    : attributes.filter((attribute) => isClosing || !isShown(attribute));
}

function isShown({ name, value }: HtmlAttribute): boolean {
  if (addresses.has(name)) return !/\s/.test(value.trim()) && toPlainAddress(value) === value;
  if (name === 'alt') return isPlainToken(value);
  return layout.get(name)?.test(value.toLowerCase()) === true;
}

const maxBodyLength = 24;
const signs = { hash: 0x23, semicolon: 0x3b, lowerX: 0x78, upperX: 0x58 };

/** @see https://html.spec.whatwg.org/multipage/named-characters.html */
const invisibleNames = new Map([
  ['shy', 0xad],
  ['zwnj', 0x200c],
  ['zwj', 0x200d],
  ['lrm', 0x200e],
  ['rlm', 0x200f],
  ['ZeroWidthSpace', 0x200b],
  ['NegativeVeryThinSpace', 0x200b],
  ['NegativeThinSpace', 0x200b],
  ['NegativeMediumSpace', 0x200b],
  ['NegativeThickSpace', 0x200b],
  ['NoBreak', 0x2060],
  ['ApplyFunction', 0x2061],
  ['af', 0x2061],
  ['InvisibleTimes', 0x2062],
  ['it', 0x2062],
  ['InvisibleComma', 0x2063],
  ['ic', 0x2063],
]);

/** Takes out the character reference at an index if a page shows it as nothing, and says where to go on. */
export function readEntity(read: Content, start: number): number {
  const found = findInvisibleEntity(read, start);
  if (found === null) return start + 1;
  addCut(read, found, found.kind);
  return found.end;
}

/** Cuts the character reference at an index that a page shows as nothing; null where none is. */
function findInvisibleEntity({ text, units }: Pick<Page, 'text' | 'units'>, start: number): Edit | null {
  const isNumber = units[start + 1] === signs.hash;
  const bodyStart = start + (isNumber ? 2 : 1);
  const bodyEnd = skipUnits(lettersAndDigits, { units, start: bodyStart, end: bodyStart + maxBodyLength });
  if (units[bodyEnd] !== signs.semicolon) return null;
  const code = isNumber
    ? readNumber({ units, start: bodyStart, end: bodyEnd })
    : (invisibleNames.get(text.slice(bodyStart, bodyEnd)) ?? null);
  if (code === null || code > 0x10ffff || !isSuspicious(code)) return null;
  return { start, end: bodyEnd + 1, kind: classifyCharacter(code) };
}

/** Up to seven digits, or up to six hexadecimal ones behind an `x`; null for anything else. */
function readNumber({ units, start, end }: Stretch): number | null {
  const isHexadecimal = units[start] === signs.lowerX || units[start] === signs.upperX;
  const digitsStart = isHexadecimal ? start + 1 : start;
  if (end === digitsStart || end > start + 7) return null;
  const base = isHexadecimal ? 16 : 10;
  let code = 0;
  for (let index = digitsStart; index < end; index += 1) {
    const digit = toDigit(units[index] ?? 0);
    if (digit >= base) return null;
    code = code * base + digit;
  }
  return code;
}

/** The worth of a digit or a letter. */
function toDigit(unit: number): number {
  return unit <= 0x39 ? unit - 0x30 : (unit | 0x20) - 0x57;
}
