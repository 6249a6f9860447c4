import { classifyCharacter, isSuspicious } from './character-classes.ts';
import type { Edit } from './edits.ts';
import { createDirectionFinder, isLegitimate } from './legitimate-character.ts';

const entity = /&(?:#[xX]([0-9a-fA-F]{1,6})|#(\d{1,7})|([A-Za-z]{2,24}));/y;

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

/** Cuts the character reference at an index that a page shows as nothing, unless it does its work there; else null. */
export function findInvisibleEntity(content: string, start: number): Edit | null {
  entity.lastIndex = start;
  const found = entity.exec(content);
  if (found === null) return null;
  const code = toCode(found);
  if (code === null || code > 0x10ffff || !isSuspicious(code)) return null;
  const end = start + found[0].length;
  const before = [...content.slice(Math.max(0, start - 2), start)].at(-1)?.codePointAt(0) ?? Number.NaN;
  const place = { text: content, start, end, before, isNearRightToLeft: createDirectionFinder(content) };
  return isLegitimate(code, place) ? null : { start, end, kind: classifyCharacter(code) };
}

function toCode([, hexadecimal, decimal, name]: RegExpExecArray): number | null {
  if (hexadecimal !== undefined) return Number.parseInt(hexadecimal, 16);
  if (decimal !== undefined) return Number(decimal);
  return invisibleNames.get(name ?? '') ?? null;
}
