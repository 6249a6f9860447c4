import { stripVTControlCharacters } from 'node:util';

/** A text on one line, that cannot command the terminal that shows it. */
export function toPlainLine(text: string): string {
  return stripVTControlCharacters(text).replace(/\p{Cc}+/gu, ' ');
}
