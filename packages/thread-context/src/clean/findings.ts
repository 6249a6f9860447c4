import type { Edit, Span } from './edits.ts';
import type { HtmlTag } from './html-tag.ts';
import type { RemovalKind } from './removal-log.ts';

/** A tag with the end of the block that it stands in; all places are in the text. */
export interface PlacedTag extends Span {
  readonly tag: HtmlTag;
  readonly blockEnd: number;
}

/** What reading blocks has found; all places are in the text. */
export interface Findings {
  readonly cuts: Edit[];
  readonly code: Span[];
  readonly tags: PlacedTag[];
  /** Labels that something refers to, as written; footnotes with their `^`. */
  readonly references: string[];
}

/** The content of a block, or a part of it, while it is read: the places in it are as far from `base` in the text. */
export interface Content extends Findings {
  readonly content: string;
  readonly base: number;
  /** Two readers of Markdown could disagree on which backticks belong together. */
  isDoubtful: boolean;
}

export interface ContentPlace {
  /** Where the content begins in the text. */
  readonly base: number;
  /** Takes what is found. */
  readonly into: Findings;
}

export function emptyFindings(): Findings {
  return { cuts: [], code: [], tags: [], references: [] };
}

/** Begins to read a content; what is found is added to what was found before. */
export function startContent(content: string, { base, into }: ContentPlace): Content {
  const { cuts, code, tags, references } = into;
  return { content, base, cuts, code, tags, references, isDoubtful: false };
}

type FindingsMark = { readonly [List in keyof Findings]: number };

/** How much was found; `forgetSince` goes back to there. */
export function markFindings({ cuts, code, tags, references }: Findings): FindingsMark {
  return { cuts: cuts.length, code: code.length, tags: tags.length, references: references.length };
}

export function forgetSince({ cuts, code, tags, references }: Findings, mark: FindingsMark): void {
  cuts.length = mark.cuts;
  code.length = mark.code;
  tags.length = mark.tags;
  references.length = mark.references;
}

export function addCut({ cuts, base }: Content, { start, end }: Span, kind: RemovalKind): void {
  cuts.push({ start: base + start, end: base + end, kind });
}

/** Takes a tag, and takes out the attributes that are not shown. */
export function addTag({ tags, cuts, base, content }: Content, tag: HtmlTag, hidden: readonly Span[]): void {
  tags.push({ tag, start: base + tag.start, end: base + tag.end, blockEnd: base + content.length });
  for (const { start, end } of hidden)
    cuts.push({ start: base + start, end: base + end, kind: 'hidden-attribute' });
}
