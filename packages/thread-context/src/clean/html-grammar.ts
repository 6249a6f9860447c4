/** How HTML stands in Markdown. @see https://spec.commonmark.org/0.31.2/#html-blocks */
const space = '[ \\t\\n\\v\\f\\r]';
const value = `(?:[^ \\t\\n\\v\\f\\r"'=<>\`]+|'[^']*'|"[^"]*")`;
const attribute = `${space}+[A-Za-z_:][\\w.:-]*(?:${space}*=${space}*${value})?`;

/** A tag that Markdown passes on as HTML; anything else that begins with `<` is shown as it is. */
export const tagSource = `<(?:[A-Za-z][A-Za-z0-9-]*(?:${attribute})*${space}*/?|/[A-Za-z][A-Za-z0-9-]*${space}*)>`;

const blockNames =
  'address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|' +
  'fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|' +
  'menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|source|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul';

interface HtmlBlockRule {
  readonly begin: RegExp;
  /** What ends the block, on the line where it stands; null: a blank line, which is not in it. */
  readonly end: RegExp | null;
  readonly interruptsParagraph: boolean;
}

const always = { interruptsParagraph: true };
const rules: readonly HtmlBlockRule[] = [
  {
    begin: /^<(?:script|pre|textarea|style)(?:[ \t\v\f>]|$)/i,
    end: /<\/(?:script|pre|textarea|style)>/i,
    ...always,
  },
  { begin: /^<!--/, end: /-->/, ...always },
  { begin: /^<\?/, end: /\?>/, ...always },
  { begin: /^<![A-Za-z]/, end: />/, ...always },
  { begin: /^<!\[CDATA\[/, end: /\]\]>/, ...always },
  { begin: new RegExp(`^</?(?:${blockNames})(?:[ \\t\\v\\f]|/?>|$)`, 'i'), end: null, ...always },
  {
    begin: new RegExp(`^${tagSource}[ \\t]*$`),
    end: null,
    interruptsParagraph: false,
  },
];

/** The rule by which a line begins a block of HTML; undefined when it does not. */
export function findHtmlBlockRule(line: string, inParagraph: boolean): HtmlBlockRule | undefined {
  if (!line.startsWith('<')) return undefined;
  return rules.find((rule) => (rule.interruptsParagraph || !inParagraph) && rule.begin.test(line));
}
