import { stripEscapes } from '@agent/text';

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
