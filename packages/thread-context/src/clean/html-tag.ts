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

const head = /<(\/?)([A-Za-z][^\s/>]*)/y;
const attribute = /[\s/]*(?:([^\s/>][^\s/>=]*)(?:\s*=\s*("[^"]*"|'[^']*'|["'][\s\S]*|[^\s>"'][^\s>]*))?)?/y;

/** Reads the tag at an index as browsers do, whatever its shape; null when there is none. */
export function readHtmlTag(content: string, start: number): HtmlTag | null {
  head.lastIndex = start;
  const found = head.exec(content);
  if (found === null) return null;
  const attributes: HtmlAttribute[] = [];
  const tag = { start, name: (found[2] ?? '').toLowerCase(), isClosing: found[1] === '/', attributes };
  let index = head.lastIndex;
  while (index < content.length) {
    if (content[index] === '>') return { ...tag, end: index + 1, isTorn: false };
    attribute.lastIndex = index;
    const [whole, name = '', given = ''] = attribute.exec(content) ?? [''];
    const isQuoted = /^["']/.test(given);
    if (isQuoted && (given.length < 2 || !given.endsWith(given.charAt(0)))) break;
    const value = isQuoted ? given.slice(1, -1) : given;
    const end = index + whole.length;
    if (name !== '') attributes.push({ start: index, end, name: name.toLowerCase(), value });
    index = end;
  }
  return { ...tag, end: content.length, isTorn: true };
}

const markdownHead = /<(?:[A-Za-z][A-Za-z0-9-]*|(\/[A-Za-z][A-Za-z0-9-]*[ \t\n\v\f\r]*>))/y;
const markdownAttribute =
  /[ \t\n\v\f\r]+[A-Za-z_:][\w.:-]*(?:[ \t\n\v\f\r]*=[ \t\n\v\f\r]*(?:[^ \t\n\v\f\r"'=<>`]+|'[^']*'|"[^"]*"))?/y;
const markdownTail = /[ \t\n\v\f\r]*\/?>/y;

/**
 * Where the tag at an index ends that Markdown passes on as HTML; null when there is none, and the `<` is shown.
 * `dead` holds places between attributes from which no tag ends, so that tags within broken tags are not read anew.
 *
 * @see https://spec.commonmark.org/0.31.2/#raw-html
 */
export function findMarkdownTagEnd(content: string, start: number, dead?: Set<number>): number | null {
  markdownHead.lastIndex = start;
  const found = markdownHead.exec(content);
  if (found === null) return null;
  if (found[1] !== undefined) return markdownHead.lastIndex;
  const places: number[] = [];
  let index = markdownHead.lastIndex;
  while (dead === undefined || !dead.has(index)) {
    places.push(index);
    markdownTail.lastIndex = index;
    if (markdownTail.test(content)) return markdownTail.lastIndex;
    markdownAttribute.lastIndex = index;
    if (!markdownAttribute.test(content)) break;
    index = markdownAttribute.lastIndex;
  }
  for (const place of places) dead?.add(place);
  return null;
}
