import type { RemovalKind, RemovalLog } from './removal-log.ts';

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

/** By their starts, the wider one first; most lists are in order as they come. */
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
