import { cutAtGrapheme, showHiddenCharacters, stripEscapes } from '@agent/text';
import { type Markup, markup, type Part } from './markup.ts';

/**
 * Shows a text that a stranger wrote within a line: cut, without commands for terminals, characters that nobody sees made
 * visible, and isolated, so that it turns round nothing beside it.
 */
export function foreignText(text: string, { maxChars = 200 }: { maxChars?: number } = {}): Markup {
  return markup`<bdi>${foreignWords(text, { maxChars })}</bdi>`;
}

/** Words of a stranger for where no element may stand: the title of a page, an option, the name of a part. */
export function foreignWords(text: string, { maxChars }: { maxChars: number }): string {
  return toShown(text, maxChars).replace(/\s+/g, ' ').trim();
}

/** Shows a text that a stranger wrote as a block with its lines. */
export function foreignBlock(text: string, { maxChars = 600 }: { maxChars?: number } = {}): Markup {
  return markup`<pre dir="auto" tabindex="0">${toShown(text, maxChars)}</pre>`;
}

/** Links to an address that others gave, if it is one of the web; without that, its content alone. */
export function foreignLink(url: string | null, content: Part): Markup {
  const address = url === null ? null : toWebAddress(url);
  if (address === null) return markup`${content}`;
  return markup`<a href="${address}" rel="noreferrer noopener nofollow">${content}</a>`;
}

/** Reads an address of the web: null for every other scheme, for one with a name and password, and for what is none. */
function toWebAddress(url: string): string | null {
  if (!/^https?:\/\//i.test(url) || url.length > 2000 || !URL.canParse(url)) return null;
  const { username, password, href } = new URL(url);
  return username === '' && password === '' ? href : null;
}

/** Cuts before it looks, so that a text of any size costs what is shown of it. */
function toShown(text: string, maxChars: number): string {
  const isCut = text.length > maxChars;
  const beginning = isCut ? cutAtGrapheme(text.slice(0, maxChars + 100), maxChars) : text;
  const { text: shown } = showHiddenCharacters(stripEscapes(beginning));
  return shown.replace(controls, toVisible) + (isCut ? '…' : '');
}

/** Controls that no page shows, but for tab and line ends. */
const controls = /[[\p{Cc}\p{Bidi_Control}]--[\t\n\r]]/gv;

function toVisible(sign: string): string {
  return `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`;
}
