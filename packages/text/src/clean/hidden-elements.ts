import type { Edit } from './edits.ts';
import type { PlacedTag } from './findings.ts';
import type { HtmlTag } from './html-tag.ts';
import type { Page } from './page.ts';

/** Elements that show nothing of what is in them. */
const unseen = new Set(
  'script style template noscript noembed noframes iframe object title head datalist canvas rp'.split(' '),
);
/** Elements that hold nothing. */
const empty = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));
const known = new Set(
  (
    'a abbr acronym address article aside audio b base bdi bdo big blockquote body br button caption center cite code ' +
    'col colgroup data dd del details dfn dialog dir div dl dt em fieldset figcaption figure font footer form frame ' +
    'frameset h1 h2 h3 h4 h5 h6 header hr html i img input ins kbd label legend li link main map mark menu menuitem ' +
    'meta meter nav ol optgroup option output p param picture pre progress q rp rt ruby s samp search section select ' +
    'small source span strike strong sub summary sup svg table tbody td textarea tfoot th thead time tr track tt u ul ' +
    'var video wbr'
  ).split(' '),
);
/** `List<String>` and `<your-name>` are often written without backticks; a sentence of such tags is not. */
const maxUnknownTags = 8;
const maxUnknownNames = 3;
const ordinaryName = /^[a-z][a-z0-9]{0,15}(?:-[a-z0-9]{1,15})?$/;
/** Tags that make print small, and how deep it can still be read. */
const tiny = new Set(['sub', 'sup', 'small']);
const maxTiny = 3;
/** `(` and `)` around the reading of a word. */
const maxRubyParenthesis = 1;

/** Values that hide an element, by property: without white space, in lower case. */
const unseenStyles: ReadonlyMap<string, RegExp> = new Map([
  ['display', /^none/],
  ['visibility', /^(?:hidden|collapse)/],
  ['color', /^(?:transparent|white|#fff(?:fff)?(?![0-9a-f]))/],
  ['text-indent', /^-/],
  ['clip', /^/],
  ['clip-path', /^/],
  ...['left', 'top'].map((name) => [name, /^-\d{3}/] as const),
  ...['font-size', 'opacity', 'height', 'width', 'max-height', 'max-width'].map(
    (name) => [name, /^0(?!\.?\d{0,99}[1-9])/] as const,
  ),
]);
const unseenColor = /^(?:transparent|white|#?fff(?:fff)?)$/i;

/**
 * The elements that are not shown, with all that is in them. One that nothing ends reaches to the end of its
 * block when its own attributes hide it, and so does a `<script>` that begins its line; in the middle of a sentence it hides nothing. Where the text was
 * cut, it may have been ended behind.
 */
export function findHiddenElements(tags: readonly PlacedTag[], { text, isCut }: Page): Edit[] {
  if (!tags.some(({ tag }) => hidesContent(tag))) return [];
  const cuts: Edit[] = [];
  const open = new Map<string, PlacedTag[]>();
  for (const placed of tags) {
    const { name, isClosing, end } = placed.tag;
    const opened = open.get(name);
    if (isClosing) {
      const begin = opened?.pop()?.tag;
      if (begin !== undefined && hidesContent(begin) && !isParenthesis(begin, placed.tag))
        cuts.push({ start: begin.start, end, kind: 'hidden-element' });
    } else if (opened !== undefined) opened.push(placed);
    else if (!empty.has(name)) open.set(name, [placed]);
  }
  for (const { tag, blockEnd } of [...open.values()].flat()) {
    if (isCut ? hidesContent(tag) : hidesByAttribute(tag) || isOpenScript(tag, text))
      cuts.push({ start: tag.start, end: isCut ? text.length : blockEnd, kind: 'hidden-element' });
  }
  return cuts;
}

/** Tags that vanish from a page, name and all, and are more than a word or two. */
export function findUnknownTags(tags: readonly PlacedTag[]): Edit[] {
  const unknown = tags.filter(({ tag: { name } }) => !known.has(name) && !unseen.has(name));
  const names = new Set(unknown.map(({ tag }) => tag.name));
  const isMuch = unknown.length > maxUnknownTags || names.size > maxUnknownNames;
  const isOdd = isMuch || [...names].some((name) => !ordinaryName.test(name));
  const cut = isOdd ? unknown : [];
  return cut.map(({ tag: { start, end } }) => ({ start, end, kind: 'unknown-tag' }));
}

function isOpenScript({ name, start }: HtmlTag, text: string): boolean {
  const before = text.slice(Math.max(0, start - 100), start);
  return name === 'script' && /^[\s>*+-]*$/.test(before.slice(before.lastIndexOf('\n') + 1));
}

function isParenthesis(begin: HtmlTag, { start }: HtmlTag): boolean {
  return begin.name === 'rp' && start - begin.end <= maxRubyParenthesis;
}

/** Finds what stands in so many tags of small print that nobody can read it. One that nothing ends reaches to the end of its block. */
export function findTinyText(tags: readonly PlacedTag[]): Edit[] {
  const cuts: Edit[] = [];
  const open: PlacedTag[] = [];
  for (const placed of tags) {
    const { tag } = placed;
    if (!tiny.has(tag.name)) continue;
    if (!tag.isClosing) open.push(placed);
    else {
      const begin = open.pop();
      if (begin !== undefined && open.length === maxTiny)
        cuts.push({ start: begin.tag.start, end: tag.end, kind: 'tiny-text' });
    }
  }
  const left = open[maxTiny];
  if (left !== undefined) cuts.push({ start: left.tag.start, end: left.blockEnd, kind: 'tiny-text' });
  return cuts;
}

function hidesContent(tag: HtmlTag): boolean {
  return !tag.isClosing && (unseen.has(tag.name) || hidesByAttribute(tag));
}

function hidesByAttribute({ attributes, isClosing }: HtmlTag): boolean {
  if (isClosing || attributes.length === 0) return false;
  return attributes.some(
    ({ name, value }) =>
      name === 'hidden' ||
      (name === 'style' && hidesByStyle(value)) ||
      (name === 'color' && unseenColor.test(value.trim())),
  );
}

function hidesByStyle(style: string): boolean {
  return style
    .toLowerCase()
    .replace(/\s/g, '')
    .split(';')
    .some((declaration) => {
      const colon = declaration.indexOf(':');
      const value = declaration.slice(colon + 1);
      return colon > 0 && unseenStyles.get(declaration.slice(0, colon))?.test(value) === true;
    });
}
