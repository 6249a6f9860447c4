import { findCharacterEdits } from './find-character-edits.ts';
import { toPage } from './page.ts';

/** A text whose hidden characters can be seen. */
export interface ShownText {
  readonly text: string;
  /** Characters that are shown as escapes. */
  readonly count: number;
}

/**
 * Shows characters that no screen shows as escapes such as `\u{200B}`: tags, controls of direction, characters without
 * width, control characters but for tab and line ends. Nothing is taken out and nothing else changes, so that code
 * reads as it is; those that join pictures or letters stay as they are. Takes time in proportion to the text.
 */
export function showHiddenCharacters(text: string): ShownText {
  const whole = text.toWellFormed();
  const edits = findCharacterEdits(toPage(whole).units, []);
  let shown = '';
  let reached = 0;
  let count = 0;
  for (const { start, end } of edits) {
    const hidden = [...whole.slice(start, end)];
    shown += whole.slice(reached, start) + hidden.map(toEscape).join('');
    count += hidden.length;
    reached = end;
  }
  return { text: shown + whole.slice(reached), count };
}

function toEscape(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`;
}
