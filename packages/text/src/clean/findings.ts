import type { Edit, Span } from './edits.ts';
import type { HtmlTag } from './html-tag.ts';
import type { Page } from './page.ts';
import type { RemovalKind } from './removal-log.ts';
import { findHiddenAttributes } from './shown-attributes.ts';

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
