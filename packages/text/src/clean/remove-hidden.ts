import { applyEdits } from './edits.ts';
import { findCharacterEdits } from './find-character-edits.ts';
import { findChatCode } from './find-chat-code.ts';
import { toPage } from './page.ts';
import { createRemovalLog } from './removal-log.ts';

/** Taking something out can make code of what was none, and the other way round; honest texts take one look. */
const maxLooks = 8;

/**
 * A message without the characters that nobody sees and that do no work where they stand. Unlike a page, a chat shows
 * markup as it was written, so all of that stays. In code, what turns the direction of text is shown as `\u202E`.
 */
export function removeHidden(text: string): string {
  let current = text.toWellFormed();
  for (let look = 0; look < maxLooks; look += 1) {
    const edits = findCharacterEdits(toPage(current).units, findChatCode(current));
    if (edits.length === 0) return current;
    current = applyEdits(current, edits, createRemovalLog());
  }
  return applyEdits(current, findCharacterEdits(toPage(current).units, []), createRemovalLog());
}
