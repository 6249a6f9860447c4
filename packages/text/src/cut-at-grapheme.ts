/** Longer than any character that people write, in UTF-16 units. */
const reach = 256;

const segmenter = new Intl.Segmenter();

/**
 * The longest beginning of a text that has at most so many UTF-16 units and ends between two characters as people see them.
 *
 * @example
 * cutAtGrapheme('ab👩‍👩‍👧‍👦', 6); // 'ab'
 */
export function cutAtGrapheme(text: string, maxChars: number): string {
  return text.slice(0, findGraphemeCut(text, maxChars));
}

/**
 * Finds where that beginning ends. Looks only at what stands around the limit, however long the text is: a cluster that
 * goes on farther than anything that people write is cut, but not between the halves of a code point.
 */
export function findGraphemeCut(text: string, maxChars: number): number {
  if (text.length <= maxChars) return text.length;
  const start = Math.max(0, maxChars - reach);
  const around = text.slice(start, maxChars + reach);
  const { index = 0, segment = '' } = segmenter.segment(around).containing(maxChars - start) ?? {};
  const isCharacter = index > 0 || (start === 0 && segment.length < reach);
  if (isCharacter) return start + index;
  return Math.max(0, maxChars - (/[\uDC00-\uDFFF]/.test(text.charAt(maxChars)) ? 1 : 0));
}
