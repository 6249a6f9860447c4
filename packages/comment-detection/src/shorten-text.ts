const segmenter = new Intl.Segmenter();

/** Longer than any grapheme that means something, so that a cut needs to look no further. */
const reach = 256;

export const truncationMark = '…(truncated)';

/** The text, or its beginning with a mark; never cut inside a character as people see it. */
export function shortenText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  return text.slice(0, findCut(text, maxChars)).trimEnd() + truncationMark;
}

function findCut(text: string, at: number): number {
  const start = Math.max(0, at - reach);
  const window = text.slice(start, at + reach);
  const index = segmenter.segment(window).containing(at - start)?.index ?? 0;
  // A cluster that fills the window is no writing; it is cut, but not between the halves of a code point.
  if (index > 0) return start + index;
  return isLowSurrogate(text.charCodeAt(at)) ? at - 1 : at;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}
