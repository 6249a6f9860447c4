import type { ReadText } from './read-escapes.ts';

/** Signs around a line of base64 in code, such as indentation, quotes and a sign that joins. */
const widestMargin = 40;

/** Takes out what wraps base64 at the end of lines. */
export function unwrapLines(given: string): ReadText {
  const parts: string[] = [];
  /** The place where each part begins: in the text without breaks, and in the given text. */
  const starts = [{ own: 0, given: 0 }];
  let own = 0;
  let from = 0;
  for (let at = given.indexOf('\n'); at !== -1; at = given.indexOf('\n', from)) {
    const end = skipMargin(given, { from: at, step: -1, limit: from }) + 1;
    parts.push(given.slice(from, end));
    own += end - from;
    from = skipMargin(given, { from: at, step: 1, limit: given.length - 1 });
    starts.push({ own, given: from });
  }
  const shift = (offset: number) => {
    let low = 0;
    for (let high = starts.length; high - low > 1; ) {
      const middle = (low + high) >>> 1;
      if ((starts[middle]?.own ?? 0) <= offset) low = middle;
      else high = middle;
    }
    const { own: begin = 0, given: place = 0 } = starts[low] ?? {};
    return offset - begin + place;
  };
  return {
    text: [...parts, given.slice(from)].join(''),
    toWritten: (found) => ({ ...found, start: shift(found.start), end: shift(found.end - 1) + 1 }),
  };
}

/** The first character from a line feed on that belongs to base64. */
function skipMargin(
  text: string,
  { from, step, limit }: { readonly from: number; readonly step: 1 | -1; readonly limit: number },
): number {
  let at = from + step;
  while (at * step <= limit * step && Math.abs(at - from) <= widestMargin && isMargin(text, at, step))
    at += step;
  return at;
}

/** A sign of base64 that no other follows joins strings, or begins an item. */
function isMargin(text: string, at: number, step: 1 | -1): boolean {
  const code = text.charCodeAt(at);
  if (code === 10) return false;
  return !isBase64(code) || (isSign(code) && !isBase64(text.charCodeAt(at + step)));
}

/** Tells whether a character code is one of base64, of either alphabet. */
export function isBase64(code: number): boolean {
  const isDigit = code >= 48 && code <= 57;
  const isLetter = (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
  return isDigit || isLetter || isSign(code);
}

function isSign(code: number): boolean {
  // + / = - _
  return code === 43 || code === 47 || code === 61 || code === 45 || code === 95;
}
