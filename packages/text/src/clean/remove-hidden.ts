import { applyEdits } from '../clean/edits.ts';
import { findCharacterEdits } from '../clean/find-character-edits.ts';
import { toPage } from '../clean/page.ts';
import { createRemovalLog } from '../clean/removal-log.ts';
import { findCode } from './find-code.ts';

/** What is taken out can make code of what was none, and the other way round; honest texts take one look. */
const maxLooks = 8;

/**
 * A message without the characters that nobody sees and that do no work where they stand. Unlike a page, a chat shows
 * markup as it was written, so all of that stays. In code, what turns the direction of text is shown as `\u202E`.
 */
export function removeHidden(text: string): string {
  let current = text.toWellFormed();
  for (let look = 0; look < maxLooks; look += 1) {
    const edits = findCharacterEdits(toPage(current).units, findCode(current));
    if (edits.length === 0) return current;
    current = applyEdits(current, edits, createRemovalLog());
  }
  return applyEdits(current, findCharacterEdits(toPage(current).units, []), createRemovalLog());
}
