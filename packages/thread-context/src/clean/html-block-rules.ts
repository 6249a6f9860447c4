import { findMarkdownTagEnd } from './html-tag.ts';

/** Elements that begin a block even in the middle of a paragraph. */
const blockNames = new Set(
  (
    'address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt ' +
    'fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link ' +
    'main menu menuitem nav noframes ol optgroup option p param search section source summary table tbody td tfoot th ' +
    'thead title tr track ul'
  ).split(' '),
);
const verbatimNames = new Set(['script', 'pre', 'textarea', 'style']);
const verbatimEnd = /<\/(?:script|pre|textarea|style)>/i;

/** How a block of HTML ends: on the line with this in it; null: before a blank line. */
export type HtmlBlockEnd = RegExp | null;

const declarations: readonly (readonly [begin: RegExp, end: RegExp])[] = [
  [/^<!--/, /-->/],
  [/^<\?/, /\?>/],
  [/^<![A-Za-z]/, />/],
  [/^<!\[CDATA\[/, /\]\]>/],
];
const tagHead = /^<\/?[A-Za-z][A-Za-z0-9]*/g;
const slash = 0x2f;

/**
 * How the block of HTML ends that a line begins; undefined when it begins none.
 *
 * @see https://spec.commonmark.org/0.31.2/#html-blocks
 */
export function findHtmlBlockEnd(line: string, inParagraph: boolean): HtmlBlockEnd | undefined {
  tagHead.lastIndex = 0;
  if (!tagHead.test(line)) return declarations.find(([begin]) => begin.test(line))?.[1];
  const nameEnd = tagHead.lastIndex;
  const isClosing = line.charCodeAt(1) === slash;
  const name = line.slice(isClosing ? 2 : 1, nameEnd).toLowerCase();
  const next = line.charAt(nameEnd);
  const isEnd = next === '' || ' \t\v\f>'.includes(next);
  if (!isClosing && isEnd && verbatimNames.has(name)) return verbatimEnd;
  if ((isEnd || line.startsWith('/>', nameEnd)) && blockNames.has(name)) return null;
  if (inParagraph || !line.trimEnd().endsWith('>')) return undefined;
  const end = findMarkdownTagEnd(line, 0);
  return end !== null && /^[ \t]*$/.test(line.slice(end)) ? null : undefined;
}
