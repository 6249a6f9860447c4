import { checkOptions, type Expectation, expected, expectNumber } from './check-options.ts';
import type { Span } from './clean/edits.ts';
import { findBlocks } from './clean/find-blocks.ts';
import { toPage } from './clean/page.ts';

const fenceMarks = /`{3}|~{3}/;

/** Stands at the end of a text that was cut. */
export const truncationMark = '…(truncated)';

/** Options of `fitText`. */
export interface FitTextOptions {
  /** The largest size that fits, inclusive; in the unit of `measure`. */
  readonly maxSize: number;
  /** The size of a text, e.g. its characters or tokens. A longer beginning should not measure less. */
  readonly measure: (text: string) => number;
}

const expectations = {
  maxSize: expectNumber(0),
  measure: expected.function,
} as const satisfies Record<keyof FitTextOptions, Expectation>;

/**
 * The text, or the longest beginning of it that fits together with a mark. It is never cut inside a character
 * as people see it, nor inside a fenced code block: such a block stands there whole or not at all. Where not
 * even the mark fits, the beginning stands without one.
 *
 * @example
 * fitText('A text that is too long.', { maxSize: 18, measure: (text) => text.length }); // 'A text…(truncated)'
 */
export function fitText(text: string, options: FitTextOptions): string {
  checkOptions('FitTextOptions', options, expectations, ['maxSize', 'measure']);
  if (options.measure(text) <= options.maxSize) return text;
  const cut = createCutter(text);
  const marked = longestFitting(text.length, (length) => {
    const { beginning, mark } = cut(length);
    const shown = beginning + mark;
    return shown.length < text.length ? fitOrNull(shown, options) : null;
  });
  return marked ?? longestFitting(text.length, (length) => fitOrNull(cut(length).beginning, options)) ?? '';
}

function fitOrNull(text: string, { maxSize, measure }: FitTextOptions): string | null {
  return measure(text) <= maxSize ? text : null;
}

/** Tries lengths as long as they fit, twice as long each time, then halves the step: long texts are hardly measured. */
function longestFitting(length: number, tryLength: (length: number) => string | null): string | null {
  let best = tryLength(0);
  if (best === null) return null;
  let fits = 0;
  let fails = 1;
  for (let step = 64; ; step *= 2) {
    fails = Math.min(step, length);
    const tried = tryLength(fails);
    if (tried === null || fails === length) break;
    best = tried;
    fits = fails;
  }
  while (fits + 1 < fails) {
    const middle = Math.floor((fits + fails) / 2);
    const tried = tryLength(middle);
    if (tried === null) fails = middle;
    else {
      best = tried;
      fits = middle;
    }
  }
  return best;
}

interface CutText {
  readonly beginning: string;
  /** The mark that goes behind it where there is room. */
  readonly mark: string;
}

/** Gives the longest beginning of the text, up to a length, that may stand by itself. */
function createCutter(text: string): (length: number) => CutText {
  const graphemes = new Intl.Segmenter().segment(text);
  const fences = findFences(text);
  return (length) => {
    const whole = length >= text.length ? text.length : (graphemes.containing(length)?.index ?? 0);
    const outside = outsideFences(whole, fences);
    const at = outside === whole ? beforeNewFence(text, outside) : outside;
    const fenceEnd = fences.findLast(({ end }) => end <= at)?.end ?? 0;
    // Blank lines at the end of a fence that nothing closes are code.
    const end = Math.max(text.slice(0, at).trimEnd().length, fenceEnd);
    // A fence would stay open if the mark stood in its last line.
    const isWholeLine = end === fenceEnd || /[\r\n]/.test(text.slice(end, at));
    return { beginning: text.slice(0, end), mark: `${end > 0 && isWholeLine ? '\n' : ''}${truncationMark}` };
  };
}

function outsideFences(at: number, fences: readonly Span[]): number {
  return fences.find(({ start, end }) => start < at && at < end)?.start ?? at;
}

/** A line that is no fence as a whole can become one when it is cut: then it goes. */
function beforeNewFence(text: string, at: number): number {
  if (at === text.length || /[\r\n]/.test(text.charAt(at))) return at;
  const line = lastLineOf(text.slice(0, at));
  return fenceMarks.test(line) ? at - line.length : at;
}

function lastLineOf(text: string): string {
  return text.slice(Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1);
}

/**
 * The fenced code blocks of a Markdown text, in order: whole lines, from the one that opens a fence to the one
 * that closes it, without the last line break. A fence that nothing closes goes on as far as its code does.
 *
 * @example
 * findFences('a\n```ts\nb\n```\nc'); // [{ start: 2, end: 13 }]
 */
export function findFences(text: string): Span[] {
  if (!/`{3}|~{3}/.test(text)) return [];
  const { fences, code } = findBlocks(toPage(text));
  const codeEnds = code.map(({ end }) => end).sort((a, b) => a - b);
  let next = 0;
  return fences.map(({ info }, index) => {
    let end = info.end;
    while ((codeEnds[next] ?? Number.POSITIVE_INFINITY) <= end) next += 1;
    for (let line = lineAfter(text, end); line !== null && codeEnds[next] === line.end; next += 1) {
      end = line.end;
      line = lineAfter(text, end);
    }
    const closing = lineAfter(text, end);
    const opensAnother = (fences[index + 1]?.info.start ?? text.length + 1) <= (closing?.end ?? 0);
    const isClosed =
      closing !== null && !opensAnother && /[`~]{3}[ \t]*$/.test(text.slice(closing.start, closing.end));
    return { start: lineStart(text, info.start), end: isClosed ? closing.end : end };
  });
}

function lineStart(text: string, offset: number): number {
  let start = offset;
  while (start > 0 && !/[\r\n]/.test(text.charAt(start - 1))) start -= 1;
  return start;
}

/** The line behind the one that ends here; null at the end of the text. */
function lineAfter(text: string, end: number): Span | null {
  if (end >= text.length) return null;
  const start = end + (text.startsWith('\r\n', end) ? 2 : 1);
  const next = text.slice(start).search(/[\r\n]/);
  return { start, end: next === -1 ? text.length : start + next };
}

/** Longer than any character that people write, in UTF-16 units. */
const reach = 256;

/** Made when it is first needed: that takes 3 ms, and the start of a program has no text to cut. */
let segmenter: Intl.Segmenter | null = null;

/**
 * The longest beginning of a text that has at most so many UTF-16 units and ends between two characters as people see them.
 *
 * @example
 * cutAtGrapheme('ab👩‍👩‍👧‍👦', 6); // 'ab'
 */
export function cutAtGrapheme(text: string, maxChars: number): string {
  return text.slice(0, findGraphemeCut(text, maxChars));
}

/**
 * Finds where that beginning ends. Looks only at what stands around the limit, however long the text is: a cluster that
 * goes on farther than anything that people write is cut, but not between the halves of a code point.
 *
 * @example
 * findGraphemeCut('ab👩‍👩‍👧‍👦', 6); // 2
 */
export function findGraphemeCut(text: string, maxChars: number): number {
  if (text.length <= maxChars) return text.length;
  const start = Math.max(0, maxChars - reach);
  const around = text.slice(start, maxChars + reach);
  segmenter ??= new Intl.Segmenter();
  const { index = 0, segment = '' } = segmenter.segment(around).containing(maxChars - start) ?? {};
  const isCharacter = index > 0 || (start === 0 && segment.length < reach);
  if (isCharacter) return start + index;
  return Math.max(0, maxChars - (/[\uDC00-\uDFFF]/.test(text.charAt(maxChars)) ? 1 : 0));
}

/**
 * The beginning of a text, with a mark if more followed; never half a character.
 *
 * @example
 * fitStart('A text that is too long.', 8); // 'A text …'
 */
export function fitStart(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const length = Math.max(0, maxChars - 1);
  const isHalf = /[\uD800-\uDBFF]/.test(text.charAt(length - 1));
  return `${text.slice(0, isHalf ? length - 1 : length)}…`;
}

declare const fitted: unique symbol;

/** Messages of a model request that were fitted to the context window of the model. Only the code that fits them makes this type. */
export type Fitted<Messages> = Messages & { readonly [fitted]: true };
