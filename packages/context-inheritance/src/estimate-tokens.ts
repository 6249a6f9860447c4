/** Errs on the high side: of 2,000 characters the estimate alone is up to a fifth too low. */
const safetyFactor = 1.2;

/** Weighs a text in tokens; must not fall when a text grows. */
export type TokenCounter = (text: string) => number;

/**
 * Estimates the tokens of a text from the classes of its characters and from where one class gives way to another,
 * a fifth too high; linear in its length. Japanese counts about one token a character, not a quarter. The figures are
 * fitted to o200k; `npm run bench -- tokens` says how near they come.
 */
export function estimateTokens(text: string): number {
  let sum = 0;
  let before = noKind;
  for (let index = 0; index < text.length; index += 1) {
    const kind = kinds[text.charCodeAt(index)] ?? 0;
    sum += thousandths[(before << 4) | kind] ?? 0;
    before = kind;
  }
  return Math.ceil((sum * safetyFactor) / 1000);
}

/** Vocabularies split where letters give way to digits, to signs, to another script. */
const thousandthsAtChange = 250;

/** Halves of surrogate pairs are `other`: most are emoji, which take two tokens. */
const weights = {
  lower: 140,
  upper: 90,
  digit: 1000,
  space: 30,
  control: 50,
  stop: 100,
  sign: 380,
  hiragana: 330,
  katakana: 550,
  fullWidth: 850,
  ideograph: 1100,
  hangul: 700,
  letter: 600,
  other: 1000,
} as const;
type Kind = keyof typeof weights;

const names = Object.keys(weights) as readonly Kind[];
const noKind = names.length;
/** What a character costs, by the class before it and its own: a table, because nobody can guess where classes change. */
const thousandths = Uint16Array.from({ length: 256 }, (_, pair) => {
  const [before, kind] = [pair >> 4, names[pair & 15]];
  if (kind === undefined) return 0;
  return weights[kind] + (names[before] === kind ? 0 : thousandthsAtChange);
});
/** Classes by UTF-16 code unit: a look into a table is several times faster than asking for the class. */
const kinds = Uint8Array.from({ length: 0x10000 }, (_, code) => names.indexOf(toKind(code)));

function toKind(code: number): Kind {
  if (code < 0x80) return toAsciiKind(code);
  if (code < 0x0e00) return 'letter';
  if (code >= 0x3040 && code <= 0x309f) return 'hiragana';
  if (code >= 0x30a0 && code <= 0x30ff) return 'katakana';
  if ((code >= 0x3000 && code <= 0x303f) || (code >= 0xff00 && code <= 0xffef)) return 'fullWidth';
  if (code >= 0xac00 && code <= 0xd7a3) return 'hangul';
  return code >= 0x3400 && code <= 0x9fff ? 'ideograph' : 'other';
}

function toAsciiKind(code: number): Kind {
  if (code >= 0x61 && code <= 0x7a) return 'lower';
  if (code >= 0x41 && code <= 0x5a) return 'upper';
  if (code >= 0x30 && code <= 0x39) return 'digit';
  if (code === 0x20) return 'space';
  if (code < 0x20) return 'control';
  return ".,'-".includes(String.fromCharCode(code)) ? 'stop' : 'sign';
}
