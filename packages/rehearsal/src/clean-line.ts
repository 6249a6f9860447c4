import { stripEscapes } from '@agent/text';

/** Text from elsewhere on one line of a terminal: no control sequences, no line breaks, no changes of direction. */
export function cleanLine(text: string): string {
  return stripEscapes(text)
    .replace(/\p{Cc}|\p{Bidi_Control}/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim();
}
