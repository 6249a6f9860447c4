import type { Cut, Span } from './edits.ts';
import type { HtmlTag } from './html-tag.ts';

/** A tag with the end of the block that it stands in, all places in the source. */
export interface PlacedTag {
  readonly tag: HtmlTag;
  readonly place: Span;
  readonly blockEnd: number;
}

/** What reading one block, or all of them, has found. */
export interface Findings {
  readonly cuts: Cut[];
  readonly code: Span[];
  readonly tags: HtmlTag[];
  /** Labels that something refers to, normalised; footnotes with their `^`. */
  readonly references: string[];
  /** Nothing behind this index of the content is shown. */
  hiddenFrom: number | null;
}

export function emptyFindings(): Findings {
  return { cuts: [], code: [], tags: [], references: [], hiddenFrom: null };
}

/** Labels are equal whatever their case and white space. */
export function normaliseLabel(label: string): string {
  return label
    .trim()
    .replace(/[ \t\r\n]+/g, ' ')
    .toLowerCase()
    .toUpperCase();
}
