/** Counts of values by size; keeps as many numbers as it has bounds, and one more. */
export interface Histogram {
  /** Ascending. */
  readonly bounds: readonly number[];
  /** Number of values above the bound before and at most this one; the last counts those above all bounds. */
  readonly counts: readonly number[];
  readonly sum: number;
}

/** One that has seen nothing. */
export function emptyHistogram(bounds: readonly number[]): Histogram {
  return { bounds, counts: Array.from({ length: bounds.length + 1 }, () => 0), sum: 0 };
}

/** The histogram with one value more. */
export function addToHistogram({ bounds, counts, sum }: Histogram, value: number): Histogram {
  const found = bounds.findIndex((bound) => value <= bound);
  const bucket = found === -1 ? bounds.length : found;
  return {
    bounds,
    counts: counts.map((count, index) => (index === bucket ? count + 1 : count)),
    sum: sum + value,
  };
}

/** Number of values that it has seen. */
export function countValues({ counts }: Pick<Histogram, 'counts'>): number {
  return counts.reduce((all, count) => all + count, 0);
}
