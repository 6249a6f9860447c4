/** Finds the longest length that fits, trying short ones first; null if 0 does not fit. */
export function findLongest(most: number, fits: (length: number) => boolean): number | null {
  if (!fits(0)) return null;
  let low = 0;
  let high = 64;
  while (high < most && fits(high)) {
    low = high;
    high *= 2;
  }
  high = Math.min(high, Math.max(0, most));
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
