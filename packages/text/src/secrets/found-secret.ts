/** The word that stands where a secret was. */
export const placeholder = '[REDACTED]';

/** A place in a text that holds a secret. */
export interface FoundSecret {
  /** The issuer's name for it, such as `GitHub token`; never a part of the value. */
  readonly kind: string;
  /** Offset of the first character, in UTF-16 code units. */
  readonly start: number;
  /** Offset behind the last character. */
  readonly end: number;
}

/**
 * Puts the placeholder in the place of what was found; places that overlap become one.
 *
 * @example
 * replaceSecrets('key=abc', [{ kind: 'key', start: 4, end: 7 }]); // 'key=[REDACTED]'
 */
export function replaceSecrets(text: string, found: readonly FoundSecret[]): string {
  if (found.length === 0) return text;
  const parts: string[] = [];
  let end = 0;
  for (const { start, end: to } of found.toSorted((one, other) => one.start - other.start)) {
    if (start >= end) parts.push(text.slice(end, start), placeholder);
    end = Math.max(end, to);
  }
  return [...parts, text.slice(end)].join('');
}

/** A text with characters in the place of their numbers. */
export interface SpelledText {
  readonly text: string;
  /** The findings in it, at its places in the text as it is written. */
  readonly toWritten: (found: FoundSecret) => FoundSecret;
}

/** Characters without a shape, and signs of ASCII as addresses, programs and pages write them by their numbers. */
const spelled =
  /\p{Default_Ignorable_Code_Point}+|(?:%|\\u00|\\x)([2-7][\da-f])|&#(?:x0{0,6}([\da-f]{2,4})|0{0,6}(\d{2,5}));?/giu;

const shapeless = /^\p{Default_Ignorable_Code_Point}$/u;

/** Reads a text as a program or a page would; null where nothing in it is written by number. */
export function readSpelled(written: string): SpelledText | null {
  const offsets = new Uint32Array(written.length + 1);
  const parts: string[] = [];
  let [length, last] = [0, 0];
  const copy = (end: number): void => {
    parts.push(written.slice(last, end));
    for (let at = last; at < end; at += 1) offsets[length++] = at;
  };
  for (const { 0: found, 1: coded, 2: reference, 3: decimal, index } of written.matchAll(spelled)) {
    copy(index);
    const hex = coded ?? reference;
    const sign = toSign(hex === undefined ? Number(decimal ?? 0) : Number.parseInt(hex, 16));
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
  };
}

/** Gives the sign that a number stands for; nothing for a character without a shape. */
function toSign(number: number): string {
  if (number === 0) return '';
  const sign = String.fromCharCode(number);
  return shapeless.test(sign) ? '' : sign;
}
