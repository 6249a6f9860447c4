import stringWidth from 'string-width';

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
/** Longer texts are cut before they are measured: no terminal is that wide, and measuring costs time. */
const maxChars = 2_000;

/** Columns that a text takes on a terminal; wide characters take two. */
export function columnsOf(text: string): number {
  return stringWidth(text.slice(0, maxChars));
}

/** Cuts a text to so many columns, with an ellipsis where something is missing; never inside a character. */
export function fitColumns(text: string, columns: number): string {
  if (columns <= 0) return '';
  const short = text.slice(0, maxChars);
  if (short === text && stringWidth(short) <= columns) return text;
  let fitted = '';
  let used = 0;
  for (const { segment } of graphemes.segment(short)) {
    const width = stringWidth(segment);
    if (used + width > columns - 1) break;
    fitted += segment;
    used += width;
  }
  return `${fitted}…`;
}

/** Fills a text with spaces up to so many columns. */
export function padColumns(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - columnsOf(text)));
}
