import type { RemovalKind, Span } from './edits.ts';
import { codePointAt, findNext, toUnitSet, type UnitSet } from './page.ts';

/**
 * Tells whether a code point is in one of these ranges. A bit for each code point, set when first asked: any character of a
 * long text may have to be looked at, and Unicode properties in expressions take ten times as long.
 */
function rangesOf(source: string): (code: number) => boolean {
  let bits: Uint32Array | null = null;
  return (code) => {
    bits ??= toBits(source);
    return (((bits[code >>> 5] ?? 0) >>> (code & 31)) & 1) === 1;
  };
}

function toBits(source: string): Uint32Array {
  const ranges = parseRanges(source);
  const bits = new Uint32Array((Math.max(...ranges.flat()) >>> 5) + 1);
  for (const [first, last] of ranges) {
    for (let code = first; code <= last; code += 1)
      bits[code >>> 5] = (bits[code >>> 5] ?? 0) | (1 << (code & 31));
  }
  return bits;
}

function parseRanges(source: string): readonly (readonly [first: number, last: number])[] {
  return source.split(' ').map((range) => {
    const [first = 0, last = first] = range.split('-').map((bound) => Number.parseInt(bound, 16));
    return [first, last];
  });
}

const suspiciousBelow20000 =
  '0-8 b-c e-1f 7f-9f ad 34f 61c 115f-1160 17b4-17b5 180b-180f 200b-200f 202a-202e 2060-206f 3164 fdd0-fdef fe00-fe0f ' +
  'feff ffa0 fff0-fffb fffe-ffff 1bca0-1bca3 1d173-1d17a 1fffe-1ffff';
const isSuspiciousBelow20000 = rangesOf(suspiciousBelow20000);

/**
 * Characters without a shape of their own, and those that no text needs: `Default_Ignorable_Code_Point`, controls but
 * for tab and line ends, noncharacters, interlinear annotation. Nothing else is ever taken out.
 *
 * @see https://www.unicode.org/Public/UCD/latest/ucd/DerivedCoreProperties.txt
 */
export function isSuspicious(code: number): boolean {
  if (code < 0x20000) return isSuspiciousBelow20000(code);
  return (code & 0xfffe) === 0xfffe || (code >= 0xe0000 && code <= 0xe0fff);
}

/** Units that suspicious characters begin with; those of U+20000 and above are the first halves of pairs. */
const suspiciousUnits = toSuspiciousUnits();

function toSuspiciousUnits(): UnitSet {
  const units = toUnitSet('');
  const firstHalf = (code: number) => 0xd7c0 + (code >>> 10);
  for (const [first, last] of parseRanges(suspiciousBelow20000)) {
    for (let code = first; code <= last; code += 1) units[code <= 0xffff ? code : firstHalf(code)] = 1;
  }
  for (let code = 0x2fffe; code <= 0x10fffe; code += 0x10000) units[firstHalf(code)] = 1;
  return units.fill(1, firstHalf(0xe0000), firstHalf(0xe0fff) + 1);
}

/** Finds where the next suspicious character of a well-formed text is, else the end. */
export function findSuspicious(units: Uint16Array, from: number): number {
  for (let index = from; ; index += 1) {
    index = findNext(suspiciousUnits, { units, start: index, end: units.length });
    if (index >= units.length || isSuspicious(codePointAt(units, index))) return index;
  }
}

/** Marks, embeddings, overrides and isolates. @see https://www.unicode.org/reports/tr9/#Directional_Formatting_Characters */
export const isBidirectional = rangesOf('61c 200e-200f 202a-202e 2066-2069');

const isZeroWidth = rangesOf('200b-200d 2060 feff');
const isVariationSelector = rangesOf('180b-180d 180f fe00-fe0f');
const isControl = rangesOf('0-1f 7f-9f');

/** Tells what a suspicious character is counted as. */
export function classifyCharacter(code: number): RemovalKind {
  if (isBidirectional(code)) return 'bidirectional-control';
  if (isZeroWidth(code)) return 'zero-width';
  if (code >= 0xe0000 && code <= 0xe007f) return 'tag-character';
  if (isVariationSelector(code) || (code >= 0xe0100 && code <= 0xe01ef)) return 'variation-selector';
  return isControl(code) ? 'control-character' : 'invisible-character';
}

/** Arabic, Syriac, N'Ko, Mandaic, Mongolian, Phags-pa, Rohingya, Adlam: letters join their neighbors. */
const isJoiningScript = rangesOf(
  '620-65f 66e-6ff 710-77f 7ca-7f3 840-8ff 1820-18aa a840-a873 fb50-fdff fe70-fefc 10d00-10d27 1e900-1e94b',
);

/** Letters that never join the next one: a joiner or a non-joiner behind them shows nothing. */
const endsJoining = rangesOf(
  '621-625 627 629 62f-632 648 671-677 688-699 6c0 6c3-6cb 6cd 6cf 6d2-6d5 6ee-6ef 710 715-719 71e 728 72a 72c 72f',
);

/** Devanagari to Sinhala, Tibetan, Myanmar, Khmer, Balinese to Javanese, and what the plane above adds. */
const isIndic = rangesOf(
  '900-dff f00-109f 1780-17d3 1b00-1bff 1cd0-1cff a8e0-a8ff a980-a9df aa60-aa7f 11000-11dff',
);

/** The sign that takes the vowel from a consonant; a joiner behind it shows how the two are written. */
const isVirama = rangesOf('94d 9cd a4d acd b4d bcd c4d ccd d3b-d3c d4d dca');

/** Letters written from right to left, as UTF-16 units: of those above, the first halves. */
export const isRightToLeft = rangesOf('591-61b 61d-8ff fb1d-fdff fe70-fefc d802-d803 d83a-d83b');
export const isHan = rangesOf('2e80-2fdf 3005-3007 3400-4dbf 4e00-9fff f900-faff 20000-323af');
const isMongolian = rangesOf('1800-18aa 11660-1166c');

/** Blocks that pictures lie in: what a variation selector or a joiner may follow. */
export const isPictograph = rangesOf(
  'a9 ae 203c 2049 2122 2139 2190-21ff 2300-23ff 24c2 25a0-27bf 2900-297f 2b00-2bff 3030 303d 3297 3299 1f000-1faff',
);

/** `0-9`, `#`, `*`: what a key may show. */
const isKeycapBase = rangesOf('23 2a 30-39');

/** Mathematical operators, whose form a variation selector may pick. */
const isOperator = rangesOf('2200-22ff 2a00-2aff');

/** Punctuation of East Asia, which a variation selector may move within its cell. */
const isEastAsianPunctuation = rangesOf('2018-2019 201c-201d 3001-3002 ff01 ff0c ff0e ff1a-ff1b ff1f');

/** The place where a character stands, in UTF-16 units. */
export interface CharacterPlace extends Span {
  readonly units: Uint16Array;
  /** The code point before it, of those that were kept; -1 at the beginning. */
  readonly before: number;
  /** Tells whether a letter of a right-to-left script is near; asked from the beginning of the text to its end. */
  readonly isNearRightToLeft: (span: Span) => boolean;
}

const signs = { nonJoiner: 0x200c, joiner: 0x200d, emojiStyle: 0xfe0f, keycap: 0x20e3, cancelTag: 0xe007f };
/** Hardly a character has more registered forms. @see https://www.unicode.org/ivd/ */
const lastRegisteredForm = 0xe010f;
/** The distance from a mark of direction, in UTF-16 units, at which a letter of a right-to-left script may be that it works on. */
const directionReach = 16;

/** Tells whether a character without a shape does its work here: joins pictures, picks a form, keeps letters apart. */
export function isLegitimate(code: number, place: CharacterPlace): boolean {
  const { units, end, before } = place;
  const after = codePointAt(units, end);
  if (code >= 0xfe00 && code <= signs.emojiStyle) return isVariation(code, { before, after });
  if (code >= 0xe0100 && code <= lastRegisteredForm) return isHan(before);
  // All others do their work between characters that have a shape.
  if (isSuspicious(after)) return false;
  if (code === signs.nonJoiner || code === signs.joiner) return isJoining(code, { before, after });
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

interface Neighbors {
  readonly before: number;
  readonly after: number;
}

function isJoining(code: number, { before, after }: Neighbors): boolean {
  if (code === signs.joiner && isPictograph(after)) {
    return isPictograph(before) || before === signs.emojiStyle || before === signs.cancelTag;
  }
  if (isJoiningScript(before))
    return !endsJoining(before) && isJoiningScript(after) === (code === signs.nonJoiner);
  if (isVirama(before)) return code === signs.joiner || isIndic(after);
  return isIndic(before) && isVirama(after);
}

/** @see https://www.unicode.org/Public/UCD/latest/ucd/StandardizedVariants.txt */
function isVariation(code: number, { before, after }: Neighbors): boolean {
  if (code >= 0xfe0e) return isKeycapBase(before) ? after === signs.keycap : isPictograph(before);
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
