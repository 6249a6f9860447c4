import type { ModelMessage } from 'ai';

/** Errs on the high side: models differ, and an estimate that is too low ends a run. */
const safetyFactor = 1.2;
const tokensPerMessage = 4;
const tokensPerFile = 1_500;

/** Tokens that a character of each class costs, on average, in the vocabularies of present models. */
const weights = {
  lower: 0.225,
  upper: 0.45,
  digit: 0.9,
  space: 0.06,
  lineBreak: 0.5,
  ascii: 0.5,
  kana: 0.68,
  ideograph: 1,
  hangul: 0.7,
  otherLetter: 0.6,
  other: 1,
} as const;

/** Estimates the tokens of a text from the classes of its characters, a fifth too high; linear in its length. */
export function estimateTokens(text: string): number {
  let sum = 0;
  for (let index = 0; index < text.length; index += 1) sum += weightOf(text.charCodeAt(index));
  return Math.ceil(sum * safetyFactor);
}

/** Tokens of a message: its texts, the calls it makes, the results it carries. */
export function countMessageTokens(message: ModelMessage, countTokens: (text: string) => number): number {
  const { content } = message;
  if (typeof content === 'string') return tokensPerMessage + countTokens(content);
  return content.reduce((sum, part) => sum + countPartTokens(part, countTokens), tokensPerMessage);
}

function countPartTokens(part: { readonly type: string }, countTokens: (text: string) => number): number {
  // A picture costs by its size on the screen, not by its bytes.
  if (part.type === 'file' || part.type === 'image') return tokensPerFile;
  return countTokens(JSON.stringify(part));
}

function weightOf(code: number): number {
  if (code < 0x80) return weightOfAscii(code);
  if (code < 0x0e00) return weights.otherLetter;
  if (code >= 0x3000 && code <= 0x30ff) return weights.kana;
  if (code >= 0xac00 && code <= 0xd7a3) return weights.hangul;
  if (code >= 0xff00 && code <= 0xffef) return weights.kana;
  // Halves of surrogate pairs too: most of them are emoji, which cost about two.
  return code >= 0x3400 && code <= 0xfaff ? weights.ideograph : weights.other;
}

function weightOfAscii(code: number): number {
  if (code >= 0x61 && code <= 0x7a) return weights.lower;
  if (code >= 0x41 && code <= 0x5a) return weights.upper;
  if (code >= 0x30 && code <= 0x39) return weights.digit;
  if (code === 0x20) return weights.space;
  return code < 0x20 ? weights.lineBreak : weights.ascii;
}
