import type { Cut } from './edits.ts';
import type { HtmlTag } from './html-tag.ts';
import { findInvisibleEntity } from './invisible-entity.ts';
import { isShownAttribute } from './shown-attributes.ts';

/** What HTML reads as a comment, at an index; `end` is null where the text ends before it does. */
export function readHtmlComment(content: string, start: number): { readonly end: number | null } | null {
  const [begin, ending] = commentMarks(content, start);
  if (begin === null) return null;
  // `<!-->` and `<!--->` are comments as well.
  const from = begin === '<!--' ? start + 2 : start + begin.length;
  const end = content.indexOf(ending, from);
  return { end: end === -1 ? null : end + ending.length };
}

function commentMarks(content: string, start: number): readonly [string | null, string] {
  if (content.startsWith('<!--', start)) return ['<!--', '-->'];
  if (content.startsWith('<?', start)) return ['<?', '?>'];
  if (content.startsWith('<![CDATA[', start)) return ['<![CDATA[', ']]>'];
  if (content.startsWith('<!', start) && /[A-Za-z]/.test(content.charAt(start + 2))) return ['<!', '>'];
  return [null, ''];
}

/** The attributes of a tag that no page shows. */
export function cutAttributes({ attributes, isClosing }: HtmlTag): Cut[] {
  return attributes
    .filter((attribute) => isClosing || !isShownAttribute(attribute))
    .map(({ start, end }) => ({ start, end, kind: 'hidden-attribute' }));
}

/** The character reference at an index, where it stands for something invisible. */
export function cutEntity(content: string, start: number): Cut | null {
  const found = findInvisibleEntity(content, start);
  return found === null ? null : { start, end: found.end, kind: found.kind };
}
