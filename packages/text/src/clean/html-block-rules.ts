import { holds, skipBlanks, skipUnits, toUnitSet } from './find-next.ts';
import { findMarkdownTagEnd } from './html-tag.ts';
import type { Stretch } from './page.ts';
import { letters, lettersAndDigits, whiteSpace } from './unit-sets.ts';

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

/** The end of a block of HTML: on the line with this in it; null: before a blank line. */
export type HtmlBlockEnd = RegExp | null;

const declarations: readonly (readonly [begin: RegExp, end: RegExp])[] = [
  [/^<!--/, /-->/],
  [/^<\?/, /\?>/],
  [/^<![A-Za-z]/, />/],
  [/^<!\[CDATA\[/, /\]\]>/],
];
const declarationSigns = toUnitSet('!?');
const nameEnds = toUnitSet(' \t\v\f>');
const signs = { slash: 0x2f, greater: 0x3e };

interface LinePlace {
  readonly text: string;
  /** The block would end a paragraph. */
  readonly inParagraph: boolean;
}

/**
 * Tells how the block of HTML ends that a line begins; undefined when it begins none.
 *
 * @see https://spec.commonmark.org/0.31.2/#html-blocks
 */
export function findHtmlBlockEnd(line: Stretch, { text, inParagraph }: LinePlace): HtmlBlockEnd | undefined {
  const { units, start, end } = line;
  const isClosing = units[start + 1] === signs.slash;
  const nameStart = start + (isClosing ? 2 : 1);
  if (nameStart >= end || !holds(letters, units[nameStart])) return findDeclarationEnd(line, text);
  const nameEnd = skipUnits(lettersAndDigits, { units, start: nameStart, end });
  const name = text.slice(nameStart, nameEnd).toLowerCase();
  const isEnd = nameEnd === end || holds(nameEnds, units[nameEnd]);
  if (!isClosing && isEnd && verbatimNames.has(name)) return verbatimEnd;
  const isWholeName = isEnd || (units[nameEnd] === signs.slash && units[nameEnd + 1] === signs.greater);
  if (isWholeName && blockNames.has(name)) return null;
  return inParagraph || !isLoneTag(line) ? undefined : null;
}

function findDeclarationEnd({ units, start, end }: Stretch, text: string): RegExp | undefined {
  if (!holds(declarationSigns, units[start + 1])) return undefined;
  const line = text.slice(start, end);
  return declarations.find(([begin]) => begin.test(line))?.[1];
}

/** Tells whether nothing but one tag stands on the line. */
function isLoneTag({ units, start, end }: Stretch): boolean {
  let last = end - 1;
  while (last > start && holds(whiteSpace, units[last])) last -= 1;
  if (units[last] !== signs.greater) return false;
  const tagEnd = findMarkdownTagEnd({ units, start, end });
  return typeof tagEnd === 'number' && skipBlanks({ units, start: tagEnd, end }) === end;
}
