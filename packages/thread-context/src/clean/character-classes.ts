/** Characters without a shape of their own, and those that no text needs: nothing else is ever taken out. */
export const suspiciousSource =
  '[[\\p{Default_Ignorable_Code_Point}\\p{Cc}\\p{Noncharacter_Code_Point}\\u{FFF9}-\\u{FFFB}\\u{1D173}-\\u{1D17A}]--[\\t\\n\\r]]';

const suspicious = new RegExp(suspiciousSource, 'v');

/** Scripts in which zero-width joiners and non-joiners decide how neighbours are written. */
const joining =
  /[[\p{scx=Arab}\p{scx=Syrc}\p{scx=Mand}\p{scx=Nkoo}\p{scx=Mong}\p{scx=Phag}\p{scx=Adlm}\p{scx=Rohg}]&&[\p{L}\p{M}]]/v;
const indic =
  /[[\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}\p{scx=Java}\p{scx=Bali}]&&[\p{L}\p{M}]]/v;
const virama =
  /[\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0BCD\u0C4D\u0CCD\u0D3B\u0D3C\u0D4D\u0DCA\u1039\u17D2\u1B44\uA9C0]/;
/** Scripts without spaces, where a zero-width space says where a word ends. */
const unspaced =
  /[[\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}\p{scx=Java}\p{scx=Bali}]&&[\p{L}\p{M}\p{N}]]/v;
const rightToLeft = /[\p{sc=Hebr}\p{sc=Arab}\p{sc=Syrc}\p{sc=Thaa}\p{sc=Nkoo}]/v;
const word = /[\p{L}\p{M}\p{N}]/v;

/** What stands around a character; empty at the ends. `before` is what was kept. */
export interface Neighbours {
  readonly before: string;
  readonly after: string;
}

export function isSuspicious(char: string): boolean {
  return suspicious.test(char);
}

/** Whether a character without a shape does its work here: joins an emoji, picks a form, keeps letters apart. */
export function isLegitimate(char: string, neighbours: Neighbours): boolean {
  if (neighbours.after !== '' && suspicious.test(neighbours.after)) return false;
  const code = char.codePointAt(0) ?? 0;
  if (code === 0x200c || code === 0x200d) return isJoiner(char, neighbours);
  if (code >= 0xfe00 && code <= 0xfe0f) return isVariation(code, neighbours);
  const { before, after } = neighbours;
  if (code >= 0xe0100 && code <= 0xe01ef) return /\p{scx=Han}/v.test(before);
  if (code >= 0x180b && code <= 0x180f) {
    return /\p{sc=Mong}/v.test(before) && (code !== 0x180e || /\p{sc=Mong}/v.test(after));
  }
  if (code === 0x200b) return unspaced.test(before) && unspaced.test(after);
  if (code === 0x200e || code === 0x200f || code === 0x061c) {
    return rightToLeft.test(before) || rightToLeft.test(after);
  }
  if (code === 0x034f) return /\p{M}/v.test(before) && /\p{M}/v.test(after);
  if (code === 0x115f) return /[\u1161-\u11FF]/.test(after);
  return code === 0x1160 && /[\u1100-\u115E]/.test(before);
}

function isJoiner(char: string, { before, after }: Neighbours): boolean {
  if (joining.test(before)) return joining.test(after) || (char === '\u200D' && !word.test(after));
  if (virama.test(before)) return true;
  if (indic.test(before)) return indic.test(after);
  return (
    char === '\u200D' &&
    /[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F\u{E007F}]/v.test(before) &&
    /\p{Extended_Pictographic}/v.test(after)
  );
}

/** @see https://www.unicode.org/Public/UCD/latest/ucd/StandardizedVariants.txt */
function isVariation(code: number, { before, after }: Neighbours): boolean {
  if (code >= 0xfe0e) return /[0-9#*]/.test(before) ? after === '\u20E3' : /\p{Emoji}/v.test(before);
  if (code <= 0xfe02 && /\p{sc=Han}/v.test(before)) return true;
  if (
    code <= 0xfe01 &&
    /[\u3001\u3002\uFF01\uFF0C\uFF0E\uFF1A\uFF1B\uFF1F\u2018\u2019\u201C\u201D]/.test(before)
  )
    return true;
  if (code === 0xfe00 && /[\p{Sm}\p{sc=Mymr}\p{sc=Phag}]/v.test(before)) return true;
  return code <= 0xfe06 && /\p{sc=Egyp}/v.test(before);
}
