import type { Span } from './edits.ts';
import { findNext, holds, skipBlanks, toUnitSet } from './find-next.ts';
import type { Stretch } from './page.ts';

const angledSigns = toUnitSet('<>\n\\');
const lineEnds = toUnitSet('\n\r\u2028\u2029');
const maxParentheses = 32;
/** Longer labels are none. */
export const maxLabelLength = 999;
const signs = {
  lineFeed: 0x0a,
  quote: 0x22,
  apostrophe: 0x27,
  opening: 0x28,
  closing: 0x29,
  less: 0x3c,
  greater: 0x3e,
  openingBracket: 0x5b,
  backslash: 0x5c,
  closingBracket: 0x5d,
};

/** Tells whether a backslash before the unit takes its meaning away: ASCII punctuation. */
export function isEscapable(unit: number | undefined): boolean {
  return holds(punctuation, unit);
}

const punctuation = toUnitSet('!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~');

/** Reads `[label]` at the start of a stretch, and says where the label stands; null where there is none. */
export function readLabel({ units, start, end }: Stretch): Span | null {
  let index = start + 1;
  for (let count = 0; count <= maxLabelLength && index < end; count += 1) {
    const unit = units[index];
    if (unit === signs.openingBracket) return null;
    if (unit === signs.closingBracket) return { start: start + 1, end: index };
    index += unit === signs.backslash ? 2 : 1;
  }
  return null;
}

/** Takes the white space before a title with it. */
export function readTitle({ units, start, end }: Stretch): Span | null {
  const begin = skipSpace({ units, start, end });
  const opening = units[begin];
  const closing = opening === signs.opening ? signs.closing : opening;
  const isQuoted = closing === signs.quote || closing === signs.apostrophe || opening === signs.opening;
  if (begin === start || begin >= end || !isQuoted) return null;
  for (let index = begin + 1; index < end; index += 1) {
    const unit = units[index];
    if (unit === closing) return { start, end: index + 1 };
    if (unit === signs.opening && opening === signs.opening) return null;
    if (unit === signs.backslash) index += 1;
  }
  return null;
}

/** Finds where an address ends; null where none can stand. Parentheses in it come in pairs, up to a depth. */
export function readDestination({ units, start, end }: Stretch): number | null {
  if (start < end && units[start] === signs.less) return readAngled({ units, start, end });
  let depth = 0;
  for (let index = start; ; index += 1) {
    const unit = index < end ? (units[index] ?? 0) : 0;
    if (unit <= 0x20 || unit === 0x7f) return depth === 0 ? index : null;
    if (unit === signs.backslash) index += isEscapable(units[index + 1]) ? 1 : 0;
    else if (unit === signs.opening) depth += 1;
    else if (unit === signs.closing) depth -= 1;
    if (depth > maxParentheses) return null;
    if (depth < 0) return index;
  }
}

function readAngled({ units, start, end }: Stretch): number | null {
  for (let index = start + 1; ; index += 2) {
    index = findNext(angledSigns, { units, start: index, end });
    if (index >= end) return null;
    if (units[index] === signs.greater) return index + 1;
    if (units[index] !== signs.backslash || holds(lineEnds, units[index + 1])) return null;
  }
}

/** White space with at most one line end in it. */
export function skipSpace({ units, start, end }: Stretch): number {
  const index = skipBlanks({ units, start, end });
  return index < end && units[index] === signs.lineFeed
    ? skipBlanks({ units, start: index + 1, end })
    : index;
}
