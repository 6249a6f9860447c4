import { fitCommentBody } from '@agent/platforms';
import type { Locale } from './locale.ts';

/** What every platform takes as one text, in UTF-16 code units, with room for marks that adapters add: GitHub refuses 65,537. */
const maxTextChars = 60_000;

export interface FitBetweenOptions {
  readonly locale: Locale;
  /** Composes the whole around the text that may be cut. */
  readonly compose: (text: string) => string;
}

/** Cuts the one text of a whole that may be cut, and says so there; what stands around it is never cut. */
export function fitBetween(text: string, { locale, compose }: FitBetweenOptions): string {
  const whole = compose(text);
  if (whole.length <= maxTextChars) return whole;
  // Measured around a letter: an empty text may take its paragraph with it.
  const room = maxTextChars - (compose('x').length - 1);
  return compose(fitCommentBody(text, { maxChars: room, locale }));
}

/** Cuts without leaving half a surrogate pair at the end. */
export function toWellFormedSlice(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : text.slice(0, maxChars).replace(/[\uD800-\uDBFF]$/, '');
}
