/** The middle of the values; between two middles their mean. */
export function findMedian(values: readonly number[]): number {
  const sorted = sortValues(values);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** The smallest value that at least this share (0 to 1) of all values does not exceed: the nearest rank. */
export function findPercentile(values: readonly number[], share: number): number {
  const sorted = sortValues(values);
  const rank = Math.max(1, Math.ceil(share * sorted.length));
  return sorted[Math.min(rank, sorted.length) - 1] ?? Number.NaN;
}

function sortValues(values: readonly number[]): readonly number[] {
  if (values.length === 0) throw new Error('There are no values to look at.');
  return [...values].sort((one, other) => one - other);
}
