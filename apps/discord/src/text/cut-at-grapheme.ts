/** Longer than any character that people write. */
const window = 256;

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** The longest beginning of a text that has at most so many UTF-16 units and ends between two characters. */
export function cutAtGrapheme(text: string, maxChars: number): string {
  return text.slice(0, findCut(text, maxChars));
}

/** Where that beginning ends. Looks only at what stands around the limit, however long the text is. */
export function findCut(text: string, maxChars: number): number {
  if (text.length <= maxChars) return text.length;
  const start = Math.max(0, maxChars - window);
  const around = text.slice(start, maxChars + window);
  let cut = 0;
  for (const { index } of segmenter.segment(around)) {
    if (start + index <= maxChars) cut = start + index;
  }
  if (cut > start) return cut;
  // One character fills the whole window: at least no half of a surrogate pair is left.
  return start === 0 ? 0 : maxChars - (/[\uDC00-\uDFFF]/.test(text.charAt(maxChars)) ? 1 : 0);
}
