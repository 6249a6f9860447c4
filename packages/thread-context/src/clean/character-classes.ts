import type { RemovalKind } from './removal-log.ts';

/** Whether a code point is in one of the ranges `[first, last, first, last, …]`. */
function isIn(ranges: readonly number[], code: number): boolean {
  for (let index = 0; index < ranges.length; index += 2) {
    if (code >= (ranges[index] ?? 0) && code <= (ranges[index + 1] ?? 0)) return true;
  }
  return false;
}

// Ranges instead of Unicode properties in expressions: those take ten times as long, and this runs for every character.
const low = [0x00, 0x08, 0x0b, 0x0c, 0x0e, 0x1f, 0x7f, 0x9f, 0xad, 0xad];
const middle = [0x34f, 0x34f, 0x61c, 0x61c, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x180b, 0x180f];
const general = [0x200b, 0x200f, 0x202a, 0x202e, 0x2060, 0x206f];
const high = [
  0x3164, 0x3164, 0xfdd0, 0xfdef, 0xfe00, 0xfe0f, 0xfeff, 0xfeff, 0xffa0, 0xffa0, 0xfff0, 0xfffb, 0xfffe,
  0xffff,
];
const astral = [0x1bca0, 0x1bca3, 0x1d173, 0x1d17a];

/**
 * Characters without a shape of their own, and those that no text needs: `Default_Ignorable_Code_Point`, controls but
 * for tab and line ends, noncharacters, interlinear annotation. Nothing else is ever taken out.
 *
 * @see https://www.unicode.org/Public/UCD/latest/ucd/DerivedCoreProperties.txt
 */
export function isSuspicious(code: number): boolean {
  if (code < 0xae) return (code < 0x20 || code >= 0x7f) && code !== 0x0a && isIn(low, code);
  if (code < 0x2000) return code >= 0x34f && isIn(middle, code);
  if (code < 0x2070) return isIn(general, code);
  if (code < 0x3164) return false;
  if (code < 0x10000) return (code === 0x3164 || code >= 0xfdd0) && isIn(high, code);
  if ((code & 0xfffe) === 0xfffe) return true;
  return code >= 0xe0000 ? code <= 0xe0fff : code >= 0x1bca0 && code <= 0x1d17a && isIn(astral, code);
}

/** What a suspicious character is counted as. */
export function classifyCharacter(code: number): RemovalKind {
  if (isBidirectional(code)) return 'bidirectional-control';
  if ((code >= 0x200b && code <= 0x200d) || code === 0x2060 || code === 0xfeff) return 'zero-width';
  if (code >= 0xe0000 && code <= 0xe007f) return 'tag-character';
  if (isIn([0xfe00, 0xfe0f, 0xe0100, 0xe01ef, 0x180b, 0x180d, 0x180f, 0x180f], code))
    return 'variation-selector';
  return code <= 0x1f || (code >= 0x7f && code <= 0x9f) ? 'control-character' : 'invisible-character';
}

/** Marks, embeddings, overrides and isolates. @see https://www.unicode.org/reports/tr9/#Directional_Formatting_Characters */
export function isBidirectional(code: number): boolean {
  return code >= 0x61c && isIn([0x61c, 0x61c, 0x200e, 0x200f, 0x202a, 0x202e, 0x2066, 0x2069], code);
}

/** Arabic, Syriac, N'Ko, Mandaic, Mongolian, Phags-pa, Rohingya, Adlam: letters join their neighbours. */
export const isJoiningScript = (code: number) =>
  isIn(
    [0x620, 0x65f, 0x66e, 0x6ff, 0x710, 0x77f, 0x7ca, 0x7f3, 0x840, 0x8ff, 0x1820, 0x18aa, 0xa840, 0xa873],
    code,
  ) || isIn([0xfb50, 0xfdff, 0xfe70, 0xfefc, 0x10d00, 0x10d27, 0x1e900, 0x1e94b], code);

/** Devanagari to Sinhala, Tibetan, Myanmar, Khmer, Balinese to Javanese, and what the plane above adds. */
export const isIndic = (code: number) =>
  isIn([0x900, 0xdff, 0xf00, 0xfff, 0x1000, 0x109f, 0x1780, 0x17d3, 0x1b00, 0x1bff, 0xa980, 0xa9df], code) ||
  isIn([0xa8e0, 0xa8ff, 0xaa60, 0xaa7f, 0x1cd0, 0x1cff, 0x11000, 0x11dff], code);

/** Thai, Lao, Tibetan, Myanmar, Khmer, Javanese …: no spaces, and a zero-width space may say where a word ends. */
export const isUnspaced = (code: number) =>
  isIn([0xe01, 0xeff, 0xf00, 0xfff, 0x1000, 0x109f, 0x1780, 0x17ff, 0x1950, 0x19df, 0x1a20, 0x1aaf], code) ||
  isIn([0x1b00, 0x1b7f, 0xa980, 0xa9df, 0xaa60, 0xaadf], code);

export const isRightToLeft = (code: number) =>
  isIn([0x591, 0x8ff, 0xfb1d, 0xfdff, 0xfe70, 0xfefc, 0x10800, 0x10fff, 0x1e800, 0x1efff], code);

export const isHan = (code: number) =>
  isIn(
    [0x2e80, 0x2fdf, 0x3005, 0x3007, 0x3400, 0x4dbf, 0x4e00, 0x9fff, 0xf900, 0xfaff, 0x20000, 0x323af],
    code,
  );

export const isMongolian = (code: number) => isIn([0x1800, 0x18aa, 0x11660, 0x1166c], code);

/** Blocks that pictures lie in: what a variation selector or a joiner may follow. */
export const isPictograph = (code: number) =>
  isIn([0xa9, 0xa9, 0xae, 0xae, 0x203c, 0x203c, 0x2049, 0x2049, 0x2122, 0x2122, 0x2139, 0x2139], code) ||
  isIn(
    [0x2190, 0x21ff, 0x2300, 0x23ff, 0x24c2, 0x24c2, 0x25a0, 0x27bf, 0x2900, 0x297f, 0x2b00, 0x2bff],
    code,
  ) ||
  isIn([0x3030, 0x3030, 0x303d, 0x303d, 0x3297, 0x3297, 0x3299, 0x3299, 0x1f000, 0x1faff], code);

/** Mathematical operators, whose form a variation selector may pick. */
export const isOperator = (code: number) => isIn([0x2200, 0x22ff, 0x2a00, 0x2aff, 0x30, 0x30], code);

/** Punctuation of East Asia, which a variation selector may move within its cell. */
export const isEastAsianPunctuation = (code: number) =>
  isIn(
    [0x2018, 0x2019, 0x201c, 0x201d, 0x3001, 0x3002, 0xff01, 0xff01, 0xff0c, 0xff0c, 0xff0e, 0xff0e],
    code,
  ) || isIn([0xff1a, 0xff1b, 0xff1f, 0xff1f], code);
