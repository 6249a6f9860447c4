import { stripEscapes } from '@agent/text';

/** A text on one line, that cannot command the terminal that shows it. */
export function toPlainLine(text: string): string {
  return stripEscapes(text).replace(/\p{Cc}+/gu, ' ');
}
