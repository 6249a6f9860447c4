import { findMarkdownTagEnd } from './html-tag.ts';

const blockNames =
  'address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|' +
  'fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|' +
  'menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|source|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul';

/** How a block of HTML ends: on the line with this in it; null: before a blank line. */
export type HtmlBlockEnd = RegExp | null;

const rules: readonly (readonly [begin: RegExp, end: HtmlBlockEnd])[] = [
  [/^<(?:script|pre|textarea|style)(?:[ \t\v\f>]|$)/i, /<\/(?:script|pre|textarea|style)>/i],
  [/^<!--/, /-->/],
  [/^<\?/, /\?>/],
  [/^<![A-Za-z]/, />/],
  [/^<!\[CDATA\[/, /\]\]>/],
  [new RegExp(`^</?(?:${blockNames})(?:[ \\t\\v\\f]|/?>|$)`, 'i'), null],
];

/**
 * How the block of HTML ends that a line begins; undefined when it begins none.
 *
 * @see https://spec.commonmark.org/0.31.2/#html-blocks
 */
export function findHtmlBlockEnd(line: string, inParagraph: boolean): HtmlBlockEnd | undefined {
  if (!line.startsWith('<')) return undefined;
  const rule = rules.find(([begin]) => begin.test(line));
  if (rule !== undefined) return rule[1];
  if (inParagraph) return undefined;
  const end = findMarkdownTagEnd(line, 0);
  return end !== null && /^[ \t]*$/.test(line.slice(end)) ? null : undefined;
}
