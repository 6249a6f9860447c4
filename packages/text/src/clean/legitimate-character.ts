import {
  endsJoining,
  isEastAsianPunctuation,
  isHan,
  isIndic,
  isJoiningScript,
  isKeycapBase,
  isMongolian,
  isOperator,
  isPictograph,
  isRightToLeft,
  isSuspicious,
  isVirama,
} from './character-classes.ts';
import type { Span } from './edits.ts';
import { codePointAt } from './page.ts';

/** The place where a character stands, in UTF-16 units. */
export interface CharacterPlace extends Span {
  readonly units: Uint16Array;
  /** The code point before it, of those that were kept; -1 at the beginning. */
  readonly before: number;
  /** Tells whether a letter of a right-to-left script is near; asked from the beginning of the text to its end. */
  readonly isNearRightToLeft: (span: Span) => boolean;
}

const nonJoiner = 0x200c;
const joiner = 0x200d;
const emojiStyle = 0xfe0f;
const keycap = 0x20e3;
const cancelTag = 0xe007f;
/** Hardly a character has more registered forms. @see https://www.unicode.org/ivd/ */
const lastRegisteredForm = 0xe010f;
/** The distance from a mark of direction, in UTF-16 units, at which a letter of a right-to-left script may be that it works on. */
const directionReach = 16;

/** Tells whether a character without a shape does its work here: joins pictures, picks a form, keeps letters apart. */
export function isLegitimate(code: number, place: CharacterPlace): boolean {
  const { units, end, before } = place;
  const after = codePointAt(units, end);
  if (code >= 0xfe00 && code <= emojiStyle) return isVariation(code, { before, after });
  if (code >= 0xe0100 && code <= lastRegisteredForm) return isHan(before);
  // All others do their work between characters that have a shape.
  if (isSuspicious(after)) return false;
  if (code === nonJoiner || code === joiner) return isJoining(code, { before, after });
  if (code >= 0x180b && code <= 0x180f) return isMongolian(before) && (code !== 0x180e || isMongolian(after));
  if (code === 0x200e || code === 0x200f || code === 0x61c) return place.isNearRightToLeft(place);
  if (code === 0x34f) return isMark(before) && isMark(after);
  // Fillers make a syllable of a vowel, or of a consonant, alone.
  return (
    (code === 0x115f && isBetween(after, 0x1160, 0x11a7)) ||
    (code === 0x1160 && isBetween(before, 0x1100, 0x115f))
  );
}

/** A mark may stand behind what is written from left to right, `C++` or the name of a file: hence "near". */
export function createDirectionFinder(units: Uint16Array): CharacterPlace['isNearRightToLeft'] {
  let reached = 0;
  let found = -directionReach - 1;
  return ({ start, end }) => {
    const last = Math.min(units.length, end + directionReach);
    for (reached = Math.max(reached, start - directionReach); reached < last; reached += 1) {
      if (isRightToLeft(units[reached] ?? 0)) found = reached;
    }
    return found >= start - directionReach;
  };
}

interface Neighbours {
  readonly before: number;
  readonly after: number;
}

function isJoining(code: number, { before, after }: Neighbours): boolean {
  if (code === joiner && isPictograph(after)) {
    return isPictograph(before) || before === emojiStyle || before === cancelTag;
  }
  if (isJoiningScript(before)) return !endsJoining(before) && isJoiningScript(after) === (code === nonJoiner);
  if (isVirama(before)) return code === joiner || isIndic(after);
  return isIndic(before) && isVirama(after);
}

/** @see https://www.unicode.org/Public/UCD/latest/ucd/StandardizedVariants.txt */
function isVariation(code: number, { before, after }: Neighbours): boolean {
  if (code >= 0xfe0e) return isKeycapBase(before) ? after === keycap : isPictograph(before);
  if (code <= 0xfe02 && isHan(before)) return true;
  if (code <= 0xfe01 && isEastAsianPunctuation(before)) return true;
  if (code === 0xfe00) return isOperator(before) || isBetween(before, 0x1000, 0x109f);
  return code <= 0xfe06 && isBetween(before, 0x13000, 0x1345f);
}

function isBetween(code: number, first: number, last: number): boolean {
  return code >= first && code <= last;
}

function isMark(code: number): boolean {
  return code >= 0 && /\p{M}/u.test(String.fromCodePoint(code));
}
