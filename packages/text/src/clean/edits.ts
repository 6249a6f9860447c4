/** A stretch of the text, in UTF-16 units: `start` is in it, `end` is not. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A stretch that is taken out, or shown another way. */
export interface Edit extends Span {
  readonly kind: RemovalKind;
  /** The text that stands there instead; nothing by default. */
  readonly replacement?: string | undefined;
}

/** The text with its edits made. What lies within a wider edit belongs to that one. */
export function applyEdits(text: string, edits: readonly Edit[], log: RemovalLog): string {
  let result = '';
  let reached = 0;
  for (const { start: from, end, kind, replacement } of toSorted(edits)) {
    const start = Math.max(from, reached);
    if (start >= end) continue;
    result += text.slice(reached, start);
    if (replacement !== undefined) result += replacement;
    log.add(kind, end - start);
    reached = end;
  }
  return result + text.slice(reached);
}

/** Spans in order, overlapping and touching ones made one. */
export function mergeSpans(spans: readonly Span[]): readonly Span[] {
  const merged: { start: number; end: number }[] = [];
  for (const { start, end } of toSorted(spans)) {
    const last = merged.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else if (start < end) merged.push({ start, end });
  }
  return merged;
}

/** Finds what lies in both of two lists of merged spans. */
export function intersectSpans(some: readonly Span[], others: readonly Span[]): readonly Span[] {
  const common: Span[] = [];
  let next = 0;
  for (const { start, end } of some) {
    while ((others[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next += 1;
    for (let index = next; ; index += 1) {
      const other = others[index];
      if (other === undefined || other.start >= end) break;
      common.push({ start: Math.max(start, other.start), end: Math.min(end, other.end) });
    }
  }
  return common;
}

/** Sorts spans by their starts, the wider one first; most lists are in order as they come. */
function toSorted<T extends Span>(spans: readonly T[]): readonly T[] {
  let before: Span = { start: 0, end: Number.POSITIVE_INFINITY };
  for (const span of spans) {
    if (compareSpans(before, span) > 0) return [...spans].sort(compareSpans);
    before = span;
  }
  return spans;
}

function compareSpans(a: Span, b: Span): number {
  return a.start - b.start || b.end - a.end;
}

/** Kinds of what can be taken out of a text. */
export type RemovalKind =
  /** `<!-- … -->` and everything else that HTML reads as a comment. */
  | 'html-comment'
  /** An attribute that no page shows: `title`, `aria-label`, `data-…`; the words behind a fence's language. */
  | 'hidden-attribute'
  /** An element that is not shown: `<script>`, `<template>`, `hidden`, `display: none`; a link without a text. */
  | 'hidden-element'
  /** Tags with names of their own, which vanish from a page: long ones, or more than a few. */
  | 'unknown-tag'
  /** An address that reads like a sentence; its origin stays. */
  | 'link-address'
  /** The label of a definition or a footnote, where it is not shown: a short one stands in its place. */
  | 'hidden-label'
  /** Cells to the right of those that a table has. */
  | 'surplus-cell'
  /** Finds what a formula holds and never shows: comments, phantoms, white ink, definitions. */
  | 'unseen-formula'
  /** Finds what a diagram, a map or a solid is made from and does not show. */
  | 'unseen-diagram'
  /** `<sub>` in `<sub>` in …: too small to be read. */
  | 'tiny-text'
  /** Blanks that look like a space; a space stands there instead. */
  | 'odd-blank'
  /** The tooltip of a link or an image. */
  | 'link-title'
  /** The text that stands for an image where it cannot be loaded. */
  | 'image-text'
  /** `[label]: address` and `[^note]: text` that nothing refers to, hence no page shows. */
  | 'unused-definition'
  /** Characters that turn the direction of text; in code it is shown as `\u202E` instead. */
  | 'bidirectional-control'
  | 'zero-width'
  /** U+E0000 … U+E007F outside a flag. */
  | 'tag-character'
  | 'variation-selector'
  /** Soft hyphens, fillers, invisible operators and other characters without a shape. */
  | 'invisible-character'
  | 'control-character'
  /** Half of a surrogate pair; replaced by U+FFFD. */
  | 'broken-character'
  /** The text behind the limit of length. */
  | 'over-limit'
  /** Signs of markup that hides itself again whenever it is cleaned, or lies too deep to be read; replaced by others. */
  | 'knotted-markup';

/** One kind of what was taken out. */
export interface Removal {
  readonly kind: RemovalKind;
  /** The number of pieces that were taken out; a run of characters without a shape is one piece. */
  readonly count: number;
  /** Their length together, in UTF-16 units. */
  readonly chars: number;
}

/** Adds up what is removed, by kind. */
export interface RemovalLog {
  readonly add: (kind: RemovalKind, chars: number) => void;
  readonly has: (kind: RemovalKind) => boolean;
  readonly toRemovals: () => readonly Removal[];
}

/** An empty log. */
export function createRemovalLog(): RemovalLog {
  const found = new Map<RemovalKind, { count: number; chars: number }>();
  return {
    add: (kind, chars) => {
      const entry = found.get(kind);
      if (entry === undefined) found.set(kind, { count: 1, chars });
      else {
        entry.count += 1;
        entry.chars += chars;
      }
    },
    has: (kind) => found.has(kind),
    toRemovals: () => [...found].map(([kind, sums]) => ({ kind, ...sums })),
  };
}
