import type { Span } from './edits.ts';

export interface HtmlAttribute extends Span {
  /** In lower case. */
  readonly name: string;
  /** Without quotes; empty where there is none. */
  readonly value: string;
}

export interface HtmlTag extends Span {
  readonly name: string;
  readonly isClosing: boolean;
  /** Each with the white space before it. */
  readonly attributes: readonly HtmlAttribute[];
  /** `quote`, `tag`: the text ended inside a quoted value, or inside the tag. */
  readonly torn: 'quote' | 'tag' | null;
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
  for (;;) {
    if (index >= content.length) return { ...tag, end: content.length, torn: 'tag' };
    if (content[index] === '>') return { ...tag, end: index + 1, torn: null };
    attribute.lastIndex = index;
    const [whole, name = '', quoted = ''] = attribute.exec(content) ?? [''];
    const isTorn = /^["']/.test(quoted) && (quoted.length < 2 || !quoted.endsWith(quoted.charAt(0)));
    if (isTorn) return { ...tag, end: content.length, torn: 'quote' };
    const value = /^["']/.test(quoted) ? quoted.slice(1, -1) : quoted;
    if (name !== '') {
      attributes.push({ start: index, end: index + whole.length, name: name.toLowerCase(), value });
    }
    index += whole.length;
  }
}
