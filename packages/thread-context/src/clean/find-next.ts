/**
 * Where a pattern next matches, else the end. Plain text is passed over by an expression, not by a loop: that is fast
 * from the first call on.
 */
export function findNext(
  pattern: RegExp,
  { content, from }: { readonly content: string; readonly from: number },
): number {
  pattern.lastIndex = from;
  return pattern.test(content) ? pattern.lastIndex - 1 : content.length;
}
