import { closeCodeBlock, fitCommentBody } from '@agent/platforms/comments';
import type { Locale } from '@agent/text';

/** Length that every platform takes as one text, in UTF-16 code units, with room for marks that adapters add: GitHub refuses 65,537. */
const maxTextChars = 60_000;

export interface FitBetweenOptions {
  readonly locale: Locale;
  /** Characters that others have taken of the whole. Default 0. */
  readonly taken?: number | undefined;
  /** Composes the whole around the text that may be cut. */
  readonly compose: (text: string) => string;
}

/**
 * Cuts the one text of a whole that may be cut, and says so there; what stands around it is never cut, nor swallowed by
 * a code block that the text leaves open.
 */
export function fitBetween(text: string, { locale, compose, taken = 0 }: FitBetweenOptions): string {
  const whole = compose(closeCodeBlock(text));
  if (whole.length <= maxTextChars - taken) return whole;
  const room = roomBetween({ compose, taken });
  return compose(fitCommentBody(text, { maxChars: room, locale }));
}

/** Computes how long a text may be that stands in this whole; less than nothing where the whole has no room for it. */
export function roomBetween({ compose, taken = 0 }: Omit<FitBetweenOptions, 'locale'>): number {
  // Measured around a letter: an empty text may take its paragraph with it.
  return maxTextChars - taken - (compose('x').length - 1);
}

/** Cuts without leaving half a surrogate pair at the end. */
export function toWellFormedSlice(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : text.slice(0, maxChars).replace(/[\uD800-\uDBFF]$/, '');
}
