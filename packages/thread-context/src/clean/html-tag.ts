import type { Span } from './edits.ts';

export interface HtmlAttribute extends Span {
  /** In lower case. */
  readonly name: string;
  /** Without quotes; empty where there is none. */
  readonly value: string;
}

export interface HtmlTag extends Span {
  /** In lower case. */
  readonly name: string;
  readonly isClosing: boolean;
  /** Each with the white space before it. */
  readonly attributes: readonly HtmlAttribute[];
  /** The text ended before the tag did. */
  readonly isTorn: boolean;
}

const head = /<\/?[A-Za-z][^\s/>]*/y;
const attribute = /[\s/]*(?:([^\s/>][^\s/>=]*)(?:\s*=\s*("[^"]*"|'[^']*'|["'][\s\S]*|[^\s>"'][^\s>]*))?)?/y;
const greaterThan = 0x3e;
const slash = 0x2f;

/** Reads the tag at an index as browsers do, whatever its shape; null when there is none. */
export function readHtmlTag(content: string, start: number): HtmlTag | null {
  head.lastIndex = start;
  if (!head.test(content)) return null;
  const isClosing = content.charCodeAt(start + 1) === slash;
  const name = content.slice(start + (isClosing ? 2 : 1), head.lastIndex).toLowerCase();
  const attributes: HtmlAttribute[] = [];
  let end = head.lastIndex;
  while (end < content.length && content.charCodeAt(end) !== greaterThan) {
    const found = readAttribute(content, end);
    if (found === null) return { start, end: content.length, name, isClosing, attributes, isTorn: true };
    if (found.name !== '') attributes.push(found);
    end = found.end;
  }
  const isTorn = end >= content.length;
  return { start, end: isTorn ? end : end + 1, name, isClosing, attributes, isTorn };
}

/** Null when the text ends within the value; without a name where nothing but white space is left. */
function readAttribute(content: string, start: number): HtmlAttribute | null {
  attribute.lastIndex = start;
  const [whole, name = '', given = ''] = attribute.exec(content) ?? [''];
  const isQuoted = /^["']/.test(given);
  if (isQuoted && (given.length < 2 || !given.endsWith(given.charAt(0)))) return null;
  const value = isQuoted ? given.slice(1, -1) : given;
  return { start, end: start + whole.length, name: name.toLowerCase(), value };
}

const markdownHead = /<\/?[A-Za-z][A-Za-z0-9-]*/y;
const markdownAttribute =
  /[ \t\n\v\f\r]+[A-Za-z_:][\w.:-]*(?:[ \t\n\v\f\r]*=[ \t\n\v\f\r]*(?:[^ \t\n\v\f\r"'=<>`]+|'[^']*'|"[^"]*"))?/y;
const space = /[ \t\n\v\f\r]*/y;

/**
 * Where the tag at an index ends that Markdown passes on as HTML; null when there is none, and the `<` is shown.
 * `dead` holds places between attributes from which no tag ends, so that tags within broken tags are not read anew.
 *
 * @see https://spec.commonmark.org/0.31.2/#raw-html
 */
export function findMarkdownTagEnd(content: string, start: number, dead?: Set<number>): number | null {
  markdownHead.lastIndex = start;
  if (!markdownHead.test(content)) return null;
  const isClosing = content.charCodeAt(start + 1) === slash;
  const places: number[] = [];
  let index = markdownHead.lastIndex;
  for (;;) {
    space.lastIndex = index;
    space.test(content);
    const next = content.charCodeAt(space.lastIndex);
    if (next === greaterThan) return space.lastIndex + 1;
    if (isClosing) return null;
    if (next === slash && content.charCodeAt(space.lastIndex + 1) === greaterThan) return space.lastIndex + 2;
    markdownAttribute.lastIndex = index;
    if (space.lastIndex === index || dead?.has(index) === true || !markdownAttribute.test(content)) break;
    places.push(index);
    index = markdownAttribute.lastIndex;
  }
  for (const place of places) dead?.add(place);
  return null;
}
