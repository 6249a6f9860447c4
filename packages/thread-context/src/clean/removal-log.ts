/** What can be taken out of a text. */
export type RemovalKind =
  /** `<!-- … -->` and everything else that HTML reads as a comment. */
  | 'html-comment'
  /** An attribute that no page shows: `title`, `aria-label`, `data-…`; the words behind a fence's language. */
  | 'hidden-attribute'
  /** An element that is not shown: `<script>`, `<template>`, `hidden`, `display: none`. */
  | 'hidden-element'
  /** The tooltip of a link or an image. */
  | 'link-title'
  /** What stands for an image where it cannot be loaded. */
  | 'image-text'
  /** `[label]: address` and `[^note]: text` that nothing refers to, hence no page shows. */
  | 'unused-definition'
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
  /** What stood behind the limit of length. */
  | 'over-limit'
  /** Brackets of markup that hides itself again whenever it is cleaned; replaced by others. */
  | 'knotted-markup';

export interface Removal {
  readonly kind: RemovalKind;
  /** How many pieces were taken out. */
  readonly count: number;
  /** How long they were, in UTF-16 units. */
  readonly chars: number;
}

/** Adds up what is removed, by kind. */
export class RemovalLog {
  readonly #found = new Map<RemovalKind, { count: number; chars: number }>();

  add(kind: RemovalKind, chars: number): void {
    const entry = this.#found.get(kind) ?? { count: 0, chars: 0 };
    this.#found.set(kind, { count: entry.count + 1, chars: entry.chars + chars });
  }

  toRemovals(): readonly Removal[] {
    return [...this.#found].map(([kind, sums]) => ({ kind, ...sums }));
  }
}
