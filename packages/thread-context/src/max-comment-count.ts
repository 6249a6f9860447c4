/** Number of comments that a context holds when nothing else is said. @see seed 000 §4 */
export const defaultMaxCommentCount = 10;

/**
 * The number of comments to keep: a whole number from 0, where 0 keeps the issue alone. Left out, it is 10;
 * anything else is 10 as well, with a warning (decisions A3 and X1).
 */
export function toMaxCommentCount(
  value: number | undefined,
  onWarning: (message: string) => void = () => {},
): number {
  if (value === undefined) return defaultMaxCommentCount;
  if (Number.isSafeInteger(value) && value >= 0) return value;
  onWarning(`maxCommentCount must be a whole number from 0; got ${value}, using ${defaultMaxCommentCount}`);
  return defaultMaxCommentCount;
}
