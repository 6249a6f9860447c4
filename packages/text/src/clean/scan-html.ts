import type { Span } from './edits.ts';
import { findNext, holds, toUnitSet } from './find-next.ts';
import { findSequence } from './find-sequence.ts';
import { addCut, addTag, type Content, type ContentPlace, startContent } from './findings.ts';
import { readHtmlTag } from './html-tag.ts';
import { findInvisibleEntity } from './invisible-entity.ts';
import { letters } from './unit-sets.ts';

const signs = { bang: 0x21, ampersand: 0x26, slash: 0x2f, less: 0x3c, question: 0x3f };
const nextSigns = toUnitSet('<&');

/**
 * Reads a block of HTML, where Markdown means nothing, as browsers do: behind a tag or a comment that does not end
 * within its block, nothing is shown.
 */
export function scanHtml(block: Span, place: ContentPlace): void {
  const read = startContent(block, place);
  const { units, end } = read;
  for (let index = read.start; index < end; ) {
    const unit = units[index];
    if (unit === signs.less) index = readMarkup(read, index);
    else if (unit === signs.ampersand) index = readEntity(read, index);
    else index = findNext(nextSigns, { units, start: index, end });
  }
}

function readEntity(read: Content, start: number): number {
  const found = findInvisibleEntity(read, start);
  if (found === null) return start + 1;
  addCut(read, found, found.kind);
  return found.end;
}

function readMarkup(read: Content, start: number): number {
  const { text, units, end } = read;
  if (beginsComment(read, start)) return readComment(read, start);
  const tag = readHtmlTag({ text, units, start, end });
  if (tag === null) return start + 1;
  if (tag.isTorn) addCut(read, { start, end: text.length }, 'hidden-element');
  else addTag(read, tag);
  return tag.end;
}

/** To a browser, `<!`, `<?` and `</` begin comments before anything that is no name. */
function beginsComment({ units, end }: Content, start: number): boolean {
  const next = units[start + 1];
  if (next === signs.bang || next === signs.question) return start + 1 < end;
  return next === signs.slash && start + 2 < end && !holds(letters, units[start + 2]);
}

function readComment(read: Content, start: number): number {
  const { text, units, end } = read;
  const isDashed = text.startsWith('<!--', start);
  const rest = { units, start: start + 2, end };
  const commentEnd = findSequence(isDashed ? '-->' : '>', rest);
  addCut(read, { start, end: commentEnd ?? text.length }, 'html-comment');
  return commentEnd ?? end;
}
