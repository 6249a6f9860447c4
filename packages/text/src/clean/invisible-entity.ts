import { classifyCharacter, isSuspicious } from './character-classes.ts';
import type { Edit } from './edits.ts';
import { skipUnits } from './find-next.ts';
import type { Page, Stretch } from './page.ts';
import { lettersAndDigits } from './unit-sets.ts';

const maxBodyLength = 24;
const signs = { hash: 0x23, semicolon: 0x3b, lowerX: 0x78, upperX: 0x58 };

/** @see https://html.spec.whatwg.org/multipage/named-characters.html */
const invisibleNames = new Map([
  ['shy', 0xad],
  ['zwnj', 0x200c],
  ['zwj', 0x200d],
  ['lrm', 0x200e],
  ['rlm', 0x200f],
  ['ZeroWidthSpace', 0x200b],
  ['NegativeVeryThinSpace', 0x200b],
  ['NegativeThinSpace', 0x200b],
  ['NegativeMediumSpace', 0x200b],
  ['NegativeThickSpace', 0x200b],
  ['NoBreak', 0x2060],
  ['ApplyFunction', 0x2061],
  ['af', 0x2061],
  ['InvisibleTimes', 0x2062],
  ['it', 0x2062],
  ['InvisibleComma', 0x2063],
  ['ic', 0x2063],
]);

/** Cuts the character reference at an index that a page shows as nothing; null where none is. */
export function findInvisibleEntity(
  { text, units }: Pick<Page, 'text' | 'units'>,
  start: number,
): Edit | null {
  const isNumber = units[start + 1] === signs.hash;
  const bodyStart = start + (isNumber ? 2 : 1);
  const bodyEnd = skipUnits(lettersAndDigits, { units, start: bodyStart, end: bodyStart + maxBodyLength });
  if (units[bodyEnd] !== signs.semicolon) return null;
  const code = isNumber
    ? readNumber({ units, start: bodyStart, end: bodyEnd })
    : (invisibleNames.get(text.slice(bodyStart, bodyEnd)) ?? null);
  if (code === null || code > 0x10ffff || !isSuspicious(code)) return null;
  return { start, end: bodyEnd + 1, kind: classifyCharacter(code) };
}

/** Up to seven digits, or up to six hexadecimal ones behind an `x`; null for anything else. */
function readNumber({ units, start, end }: Stretch): number | null {
  const isHexadecimal = units[start] === signs.lowerX || units[start] === signs.upperX;
  const digitsStart = isHexadecimal ? start + 1 : start;
  if (end === digitsStart || end > start + 7) return null;
  const base = isHexadecimal ? 16 : 10;
  let code = 0;
  for (let index = digitsStart; index < end; index += 1) {
    const digit = toDigit(units[index] ?? 0);
    if (digit >= base) return null;
    code = code * base + digit;
  }
  return code;
}

/** The worth of a digit or a letter. */
function toDigit(unit: number): number {
  return unit <= 0x39 ? unit - 0x30 : (unit | 0x20) - 0x57;
}
