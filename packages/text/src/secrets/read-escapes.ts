import type { FoundSecret } from './found-secret.ts';

/** A text as a program, a page or a terminal reads it. */
export interface ReadText {
  readonly text: string;
  /** The findings in it, at their offsets in the text as it is written. */
  readonly toWritten: (found: FoundSecret) => FoundSecret;
}

/**
 * Characters without a shape, sequences for terminals (with the escape character as it is, as source code spells it, or lost), ASCII by
 * number (percent-encoded, JSON, C, shell, HTML), the escapes of JSON and C, and names of HTML.
 * @see https://ecma-international.org/publications-and-standards/standards/ecma-48/
 */
const escapes =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: sequences for terminals begin with them
  /\p{Default_Ignorable_Code_Point}+|(?<sequence>(?:\x1b|\\{1,8}(?:u001b|x1b|033|e|u\{1b\})|%(?:25){0,3}1b|&#(?:27|x1b);|\^\[|\u241b)(?:(?:\[|%5b)[0-?]{0,32}[ -/]{0,4}[@-~]|\][^\x07\x1b\\\n]{0,500}(?:\x07|\x1b\\|\\{1,8}(?:u001b|x1b|033|e)\\{1,8})|[()][0AB])|\x9b[0-?]{0,32}[@-~]|\[\d{1,3}(?:;\d{1,3}){0,5}m)|(?:%(?:25){0,3}|\\{1,8}(?:u00|x))(?<hex>[0-7][\da-f])|&#(?:x0{0,6}(?<reference>[\da-f]{1,4})|0{0,6}(?<decimal>\d{1,5}));?|\\{1,8}(?:(?<octal>0(?:1[0-5]|33))|(?<letter>[nrtbfvae0"'`/]))|&(?:amp;){0,3}(?<name>quot|apos|amp|lt|gt|nbsp|newline|tab|colon|equals|lowbar|period|sol|hyphen|dash);/giu;

const named: Readonly<Record<string, string>> = {
  quot: '"',
  apos: "'",
  amp: '&',
  lt: '<',
  gt: '>',
  colon: ':',
  equals: '=',
  lowbar: '_',
  period: '.',
  sol: '/',
  hyphen: '-',
  dash: '-',
};

/**
 * Reads a text without its escapes; nothing where it has none. Sequences for terminals are read in two ways: as nothing, as they can be in the middle of
 * a secret, and as a space, as they can be all that separates a secret from a word. Linear in the length of the text.
 */
export function readEscapes(written: string): readonly ReadText[] {
  const joined = readOnce(written, '');
  if (joined === null) return [];
  const parted = joined.hasSequences ? readOnce(written, ' ') : null;
  return parted === null ? [joined] : [joined, parted];
}

function readOnce(
  written: string,
  ofSequence: '' | ' ',
): (ReadText & { readonly hasSequences: boolean }) | null {
  const offsets = new Uint32Array(written.length + 1);
  const parts: string[] = [];
  let [length, last, hasSequences] = [0, 0, false];
  const copy = (end: number): void => {
    parts.push(written.slice(last, end));
    for (let at = last; at < end; at += 1) offsets[length++] = at;
  };
  for (const { 0: found, groups = {}, index } of written.matchAll(escapes)) {
    copy(index);
    hasSequences ||= groups.sequence !== undefined;
    const sign = groups.sequence === undefined ? toSign(groups) : ofSequence;
    if (sign !== '') {
      parts.push(sign);
      offsets[length++] = index;
    }
    last = index + found.length;
  }
  if (last === 0) return null;
  copy(written.length);
  offsets[length] = written.length;
  return {
    text: parts.join(''),
    toWritten: (found) => ({ ...found, start: offsets[found.start] ?? 0, end: offsets[found.end] ?? 0 }),
    hasSequences,
  };
}

const shapeless = /^\p{Default_Ignorable_Code_Point}$/u;

/** The sign that an escape stands for: a line feed for control characters, nothing for what has no shape. */
function toSign({
  hex,
  reference,
  decimal,
  octal,
  letter,
  name,
}: Record<string, string | undefined>): string {
  if (letter !== undefined) return /[a-z0]/i.test(letter) ? ofLetter(letter) : letter;
  if (name !== undefined) return named[name.toLowerCase()] ?? '\n';
  const number = toNumber(hex ?? reference, 16) ?? toNumber(octal, 8) ?? toNumber(decimal, 10);
  if (number === null) return '';
  const sign = String.fromCharCode(number);
  if (number === 0 || number === 0x1b || shapeless.test(sign)) return '';
  if (number === 0xa0) return ' ';
  return number < 0x20 || number === 0x7f ? '\n' : sign;
}

/** `\e` alone begins nothing; the others are white space. */
function ofLetter(letter: string): string {
  return letter.toLowerCase() === 'e' ? '' : '\n';
}

function toNumber(digits: string | undefined, base: number): number | null {
  return digits === undefined ? null : Number.parseInt(digits, base);
}
