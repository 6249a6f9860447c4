import { stripEscapes } from '@agent/text';
import stringWidth from 'string-width';

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Longer texts are cut before they are measured: no terminal is that wide, and measuring costs time. */
const maxChars = 2_000;

/** Text from elsewhere on one line of a terminal: no control sequences, no line breaks, nothing that turns the line around. */
export function cleanLine(text: string): string {
  return cleanText(text).replace(/\s+/gu, ' ').trim();
}

/** Text from elsewhere over several lines: only line breaks and tabs stay of what is not seen. */
export function cleanText(text: string): string {
  return stripEscapes(text)
    .replaceAll('\r\n', '\n')
    .replace(/[^\P{Cc}\n\t]/gu, ' ')
    .replace(/\p{Bidi_Control}/gu, '');
}

/** Keeps text that is written from right to left from reordering what stands beside it. */
export function isolateDirection(text: string): string {
  return /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(text)
    ? `\u2068${text}\u2069`
    : text;
}

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

/** `45s`, `3m 07s`, `2h 05m`, `4d 3h`: short, and of steady width while it counts. */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1_000));
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (minutes === 0) return `${seconds}s`;
  if (hours === 0) return `${minutes}m ${twoDigits(seconds % 60)}s`;
  if (hours < 24) return `${hours}h ${twoDigits(minutes % 60)}m`;
  return `${Math.floor(hours / 24)}d ${hours % 24}h`;
}

/** `950`, `12.4k`, `3.1M`. */
export function formatCount(count: number): string {
  if (count < 1_000) return String(count);
  return count < 1_000_000 ? `${(count / 1_000).toFixed(1)}k` : `${(count / 1_000_000).toFixed(1)}M`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
