import type { Edit, Span } from './edits.ts';
import type { HtmlAttribute, HtmlTag } from './html-tag.ts';
import type { Page } from './page.ts';
import { toPlainAddress } from './plain-address.ts';
import { isPlainToken } from './prose.ts';
import type { RemovalKind } from './removal-log.ts';

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
  /** Labels that something refers to, as written; footnotes with their `^`. */
  readonly references: string[];
  /** Those of them that are not shown where they stand. */
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
  return { cuts: [], code: [], tags: [], references: [], hiddenLabels: [] };
}

/** Begins to read a stretch; what is found is added to what was found before. */
export function startContent({ start, end }: Span, { page, into }: ContentPlace): Content {
  const { text, units, isCut } = page;
  const { cuts, code, tags, references, hiddenLabels } = into;
  const isTorn = isCut && end === text.length;
  return { text, units, start, end, cuts, code, tags, references, hiddenLabels, isDoubtful: false, isTorn };
}

type FindingsMark = { readonly [List in keyof Findings]: number };

/** The number of findings so far; `forgetSince` goes back to there. */
export function markFindings({ cuts, code, tags, references, hiddenLabels }: Findings): FindingsMark {
  return {
    cuts: cuts.length,
    code: code.length,
    tags: tags.length,
    references: references.length,
    hiddenLabels: hiddenLabels.length,
  };
}

export function forgetSince(found: Findings, mark: FindingsMark): void {
  found.cuts.length = mark.cuts;
  found.code.length = mark.code;
  found.tags.length = mark.tags;
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
    /^(?:#[0-9a-f]{3,8}|red|green|blue|black|gray|grey|orange|yellow|purple|white|brown|cyan|magenta)$/,
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
