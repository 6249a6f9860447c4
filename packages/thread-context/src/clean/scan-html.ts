import { findNext } from './find-next.ts';
import { addCut, addTag, type Content, type ContentPlace, startContent } from './findings.ts';
import { readHtmlTag } from './html-tag.ts';
import { findInvisibleEntity } from './invisible-entity.ts';
import { findHiddenAttributes } from './shown-attributes.ts';

const ampersand = 0x26;
const less = 0x3c;
const nextSign = /[<&]/g;
const torn = -1;

interface HtmlOptions extends ContentPlace {
  /** Where the text ends: nothing is shown behind a tag or a comment that does not end within its block. */
  readonly textEnd: number;
}

/** Reads a block of HTML, where Markdown means nothing, as browsers do. */
export function scanHtml(content: string, { base, into, textEnd }: HtmlOptions): void {
  const read = startContent(content, { base, into });
  let index = 0;
  while (index < content.length) {
    const code = content.charCodeAt(index);
    if (code === less) index = readMarkup(read, { start: index, textEnd });
    else if (code === ampersand) index = readEntity(read, index);
    else index = findNext(nextSign, { content, from: index + 1 });
  }
}

function readEntity(read: Content, start: number): number {
  const found = findInvisibleEntity(read.content, start);
  if (found === null) return start + 1;
  addCut(read, { start, end: found.end }, found.kind);
  return found.end;
}

function readMarkup(
  read: Content,
  { start, textEnd }: { readonly start: number; readonly textEnd: number },
): number {
  const { content, base } = read;
  const end = findCommentEnd(content, start);
  if (end !== null) {
    addCut(read, { start, end: end === torn ? textEnd - base : end }, 'html-comment');
    return end === torn ? content.length : end;
  }
  const tag = readHtmlTag(content, start);
  if (tag === null) return start + 1;
  if (tag.isTorn) addCut(read, { start, end: textEnd - base }, 'hidden-element');
  else addTag(read, tag, findHiddenAttributes(tag));
  return tag.end;
}

/** Where the comment ends that begins here; `torn` when nothing ends it, null when none begins. */
function findCommentEnd(content: string, start: number): number | null {
  // To a browser, `<!`, `<?` and `</` begin comments before anything that is no name.
  if (!/^<(?:[!?]|\/[^A-Za-z])/.test(content.slice(start, start + 3))) return null;
  const ending = content.startsWith('<!--', start) ? '-->' : '>';
  const found = content.indexOf(ending, start + 2);
  return found === -1 ? torn : found + ending.length;
}
