import { checkOptions, type Expectation, expected, expectNumber, expectOneOf } from '../check-options.ts';

/** Longest that a secret is in any of its spellings, in characters. */
export const longestSecret = 16_000;

/** Options of `cutWithoutSecrets`. */
export interface CutOptions {
  /** Hides whole secrets; what it is given of one that was cut, it does not know. */
  readonly hideSecrets: (text: string) => string;
  /** The longest result, in UTF-16 units. */
  readonly maxChars: number;
  /** The side that stays. */
  readonly keep: 'start' | 'end';
  /** True for a text whose other side was cut off before. Default false. */
  readonly isTorn?: boolean | undefined;
}

const expectations = {
  hideSecrets: expected.function,
  maxChars: expectNumber(0),
  keep: expectOneOf('start', 'end'),
  isTorn: expected.flag,
} as const satisfies Record<keyof CutOptions, Expectation>;

/**
 * The beginning or the end of a text without its secrets. They are hidden before it is cut, or a part of one would stay; what stands next to a
 * cut that was made earlier is left out. However long the text is, only what is near to the result is read.
 *
 * @example
 * const hideSecrets = (text: string) => text.replaceAll('plum-orchard-lane', '[REDACTED]');
 * cutWithoutSecrets('by plum-orchard-lane', { hideSecrets, maxChars: 8, keep: 'start' }); // 'by [REDA'
 */
export function cutWithoutSecrets(text: string, options: CutOptions): string {
  checkOptions('CutOptions', options, expectations, ['hideSecrets', 'maxChars', 'keep']);
  const { hideSecrets, maxChars, keep } = options;
  const read = maxChars + 2 * longestSecret;
  const isTorn = options.isTorn === true || text.length > read;
  const sideOf = (whole: string, length: number) =>
    keep === 'start' ? whole.slice(0, length) : whole.slice(Math.max(0, whole.length - length));
  const clean = hideSecrets(sideOf(text, read));
  const sure = isTorn ? Math.max(0, clean.length - longestSecret) : clean.length;
  return withoutHalves(sideOf(clean, Math.min(sure, maxChars)));
}

/** A text without halves of a code point at its ends. */
function withoutHalves(text: string): string {
  return text.replace(/^[\uDC00-\uDFFF]/, '').replace(/[\uD800-\uDBFF]$/, '');
}
