import type { RemovalKind } from './removal-log.ts';

/** A stretch of the text, in UTF-16 units: `start` is in it, `end` is not. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A stretch that is taken out. */
export interface Cut extends Span {
  readonly kind: RemovalKind;
}

/** Cuts in order, none touching the inside of another: what lies within a wider one belongs to that. */
export function toDisjointCuts(cuts: readonly Cut[]): Cut[] {
  const sorted = cuts.filter(({ start, end }) => start < end);
  sorted.sort((a, b) => a.start - b.start || b.end - a.end);
  const disjoint: Cut[] = [];
  let reached = 0;
  for (const cut of sorted) {
    const start = Math.max(cut.start, reached);
    if (start >= cut.end) continue;
    disjoint.push({ ...cut, start });
    reached = cut.end;
  }
  return disjoint;
}

/** Spans in order, overlapping and touching ones made one. */
export function toDisjointSpans(spans: readonly Span[]): Span[] {
  const sorted = [...spans].sort((a, b) => a.start - b.start);
  const disjoint: { start: number; end: number }[] = [];
  for (const { start, end } of sorted) {
    const last = disjoint.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else if (start < end) disjoint.push({ start, end });
  }
  return disjoint;
}
