import {
  isEastAsianPunctuation,
  isHan,
  isIndic,
  isJoiningScript,
  isMongolian,
  isOperator,
  isPictograph,
  isRightToLeft,
  isSuspicious,
  isUnspaced,
} from './character-classes.ts';

/** The code points around a character; NaN at the ends of the text. `before` is the last one that was kept. */
export interface Neighbours {
  readonly before: number;
  readonly after: number;
}

const nonJoiner = 0x200c;
const joiner = 0x200d;
const emojiStyle = 0xfe0f;
const keycap = 0x20e3;
const cancelTag = 0xe007f;

/** Whether a character without a shape does its work here: joins pictures, picks a form, keeps letters apart. */
export function isLegitimate(code: number, { before, after }: Neighbours): boolean {
  if (code >= 0xfe00 && code <= emojiStyle) return isVariation(code, { before, after });
  if (code >= 0xe0100 && code <= 0xe01ef) return isHan(before);
  // All others do their work between characters that have a shape.
  if (Number.isNaN(before) || isSuspicious(after)) return false;
  if (code === nonJoiner || code === joiner) return isJoining(code, { before, after });
  if (code >= 0x180b && code <= 0x180f) return isMongolian(before) && (code !== 0x180e || isMongolian(after));
  if (code === 0x200b) return isUnspaced(before) && isUnspaced(after);
  if (code === 0x200e || code === 0x200f || code === 0x61c)
    return isRightToLeft(before) || isRightToLeft(after);
  if (code === 0x34f) return isMark(before) && isMark(after);
  if (code === 0x1160) return before >= 0x1100 && before <= 0x115e;
  return false;
}

function isJoining(code: number, { before, after }: Neighbours): boolean {
  if (isJoiningScript(before)) return isJoiningScript(after) || (code === joiner && !isLetter(after));
  if (isIndic(before)) return isIndic(after) || isVirama(before);
  if (code !== joiner || !isPictograph(after)) return false;
  return isPictograph(before) || before === emojiStyle || before === cancelTag;
}

/** @see https://www.unicode.org/Public/UCD/latest/ucd/StandardizedVariants.txt */
function isVariation(code: number, { before, after }: Neighbours): boolean {
  if (code >= 0xfe0e) return isKeycapBase(before) ? after === keycap : isPictograph(before);
  if (code <= 0xfe02 && isHan(before)) return true;
  if (code <= 0xfe01 && isEastAsianPunctuation(before)) return true;
  if (code === 0xfe00) return isOperator(before) || (before >= 0x1000 && before <= 0x109f);
  return code <= 0xfe06 && before >= 0x13000 && before <= 0x1345f;
}

function isKeycapBase(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || code === 0x23 || code === 0x2a;
}

/** The sign that takes the vowel from a consonant; a joiner behind it shows how the two are written. */
function isVirama(code: number): boolean {
  return [0x94d, 0x9cd, 0xa4d, 0xacd, 0xb4d, 0xbcd, 0xc4d, 0xccd, 0xd4d, 0xdca].includes(code);
}

function isMark(code: number): boolean {
  return !Number.isNaN(code) && /\p{M}/u.test(String.fromCodePoint(code));
}

function isLetter(code: number): boolean {
  return !Number.isNaN(code) && /[\p{L}\p{M}\p{N}]/u.test(String.fromCodePoint(code));
}
