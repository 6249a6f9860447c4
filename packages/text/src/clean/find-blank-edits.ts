import { isHan } from './character-classes.ts';
import type { Edit, Span } from './edits.ts';
import { findNext, holds, toUnitSet } from './find-next.ts';

const breaking = '\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u205f';
const noBreak = '\u00a0\u202f';
const ideographic = 0x3000;
const brailleBlank = 0x2800;

/** Units that look like a space and are none. */
export const blankSigns = `${breaking}${noBreak}\u3000\u2800`;
const blankUnits = toUnitSet(blankSigns);
const noBreaks = toUnitSet(noBreak);

/** Blanks of many widths, which no eye tells apart: outside of code and of their scripts they become plain spaces. */
export function findBlankEdits(units: Uint16Array, code: readonly Span[]): Edit[] {
  const edits: Edit[] = [];
  let nextCode = 0;
  for (let index = findBlank(units, 0); index < units.length; ) {
    while ((code[nextCode]?.end ?? Number.POSITIVE_INFINITY) <= index) nextCode += 1;
    let end = index;
    while (holds(blankUnits, units[end])) end += 1;
    const inCode = (code[nextCode]?.start ?? Number.POSITIVE_INFINITY) <= index;
    if (!inCode && !(end === index + 1 && isAtWork(units, index)))
      edits.push({ start: index, end, kind: 'odd-blank', replacement: ' ' });
    index = findBlank(units, end);
  }
  return edits;
}

function findBlank(units: Uint16Array, start: number): number {
  return findNext(blankUnits, { units, start, end: units.length });
}

/** Tells whether a blank does its work there: keeps a sign or a number with its word, parts Japanese, stands among Braille. */
function isAtWork(units: Uint16Array, index: number): boolean {
  const unit = units[index] ?? 0;
  const [before, after] = [units[index - 1] ?? 0x0a, units[index + 1] ?? 0x0a];
  if (unit === ideographic) return isEastAsian(before) || isEastAsian(after);
  if (unit === brailleBlank) return isBraille(before) || isBraille(after);
  const isApart = before <= 0x20 || after <= 0x20;
  return holds(noBreaks, unit) && !isApart && !(isLetter(before) && isLetter(after));
}

function isEastAsian(unit: number): boolean {
  return (
    isHan(unit) || (unit >= 0x3001 && unit <= 0x30ff) || unit >= 0xff00 || (unit >= 0xac00 && unit <= 0xdfff)
  );
}

function isBraille(unit: number): boolean {
  return unit > brailleBlank && unit <= 0x28ff;
}

function isLetter(unit: number): boolean {
  return unit > 0xbf || (unit >= 0x41 && unit <= 0x5a) || (unit >= 0x61 && unit <= 0x7a);
}
