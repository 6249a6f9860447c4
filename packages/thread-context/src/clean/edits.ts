import type { RemovalKind, RemovalLog } from './removal-log.ts';

/** A stretch of the text, in UTF-16 units: `start` is in it, `end` is not. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A stretch that is taken out, or shown another way. */
export interface Edit extends Span {
  readonly kind: RemovalKind;
  /** What stands there instead; nothing by default. */
  readonly replacement?: string | undefined;
}

/** The text with its edits made. What lies within a wider edit belongs to that one. */
export function applyEdits(text: string, edits: readonly Edit[], log: RemovalLog): string {
  const parts: string[] = [];
  let reached = 0;
  for (const edit of toSorted(edits)) {
    const start = Math.max(edit.start, reached);
    if (start >= edit.end) continue;
    parts.push(text.slice(reached, start), edit.replacement ?? '');
    log.add(edit.kind, edit.end - start);
    reached = edit.end;
  }
  return parts.length === 0 ? text : parts.join('') + text.slice(reached);
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

/** What lies in both of two lists of merged spans. */
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
  const compare = (a: Span, b: Span) => a.start - b.start || b.end - a.end;
  const isSorted = spans.every((span, index) => {
    const before = spans[index - 1];
    return before === undefined || compare(before, span) <= 0;
  });
  return isSorted ? spans : [...spans].sort(compare);
}
