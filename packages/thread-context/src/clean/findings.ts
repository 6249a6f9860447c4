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

export function startContent(content: string, base: number): Content {
  return { content, base, cuts: [], code: [], tags: [], references: [], isDoubtful: false };
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

export function addFindings(all: Findings, { cuts, code, tags, references }: Findings): void {
  for (const cut of cuts) all.cuts.push(cut);
  for (const span of code) all.code.push(span);
  for (const tag of tags) all.tags.push(tag);
  for (const label of references) all.references.push(label);
}
