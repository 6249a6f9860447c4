import { findCode, type TextRange } from './find-code.ts';

/** Shown as nothing; what stands on both its sides is no longer one word. */
const breaker = '\u200b';

/**
 * A mention: a forge takes only ASCII letters before it for part of a word. Or else an address as every forge makes links of
 * them: what is written like a mention in its path is none.
 */
const mentions =
  /(?<![^\s*_~(])(?<address>https?:\/\/[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}(?::\d{1,5})?\/[\w.~:/?#@!$&*+,;=%-]*)|(?<![A-Za-z0-9])@(?=\S)/giu;

/**
 * A character by its number or name, which Markdown shows as the character. HTML needs no semicolon behind a number.
 * @see https://spec.commonmark.org/0.31.2/#entity-and-numeric-character-references
 */
const references =
  /&(?:#x(?<hex>[\da-f]+)|#(?<decimal>\d+)|(?:commat|num|excl|amp|colon|sol|period|lowbar|hyphen|dash|nbsp|nonbreakingspace|[a-z]{0,12}sp|[a-z]{0,8}space|tab|newline)(?=;));?/giu;

/**
 * Words with which a forge closes what is named behind them, once the text reaches its default branch. As with mentions,
 * letters beyond ASCII do not make them part of a longer word.
 * @see https://docs.github.com/en/issues/tracking-your-work-with-issues/using-issues/linking-a-pull-request-to-an-issue
 * @see https://docs.gitlab.com/user/project/issues/managing_issues/#default-closing-pattern
 */
const closing =
  /(?<![A-Za-z0-9])(?:clos(?:e[sd]?|ing)|fix(?:e[sd]|ing)?|resolv(?:e[sd]?|ing)|implement(?:s|ed|ing)?)(?![A-Za-z0-9])/giu;

/** The text between such a word and what it closes. */
const gaps = [/[^\p{L}\p{N}#!&]*/uy, /(?:issues?)?/iy, /[^\p{L}\p{N}#!&]*/uy] as const;
const closed = /[\w./-]{0,200}[#!&]\d|GH-\d|https?:\/\/\S{1,300}\d|[A-Z][A-Z0-9_]{1,20}-\d/iy;

/** Words that keep a forge's pipelines from running: of every service that reads `[skip …]`, and of Azure and GitHub. */
const skipping =
  /\[(?=\s{0,4}(?:(?:skip|no|ci)[ _.-][\w-]{1,30}|[\w-]{1,30}[ _.-]skip)\s{0,4}\])|\*\*\*(?=NO_CI\*\*\*)|^skip-(?=checks:)/gim;

/** First and last lines of the envelopes that a run's texts stand in; their code is for the model alone. */
const envelopeLines = /={5} (?:BEGIN|END) TEXT [A-Za-z0-9-]{16,128} [^\n]{0,300}\n?/g;

/**
 * Keeps a text from doing anything but being read: it notifies nobody, closes nothing, skips no pipeline, tells no code of
 * an envelope, and shows its letters in their order. Code stays as it is where every reader takes it for code; words that close are broken there as well.
 */
export function disarmText(text: string): string {
  const visible = toVisible(text).replace(envelopeLines, '');
  return breakMentions(breakReferences(visible))
    .replace(closing, (word, at: number, whole: string) =>
      isBeforeClosed(whole, at + word.length) ? `${word.slice(0, 1)}${breaker}${word.slice(1)}` : word,
    )
    .replace(skipping, (found) => `${found}${breaker}`);
}

/** One line, for titles and subjects. */
export function disarmLine(text: string): string {
  return disarmText(text.replace(/\s+/g, ' ').trim());
}

/** Without the characters that reorder letters, act on terminals or carry hidden text. */
export function toVisible(text: string): string {
  return (
    text
      .replace(/\r\n?|[\u2028\u2029]/g, '\n')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '')
      .replace(/[\u{e0000}-\u{e007f}]/gu, '')
  );
}

/** A letter, digit, space or sign that is written by its number stands alone: no word or number goes on beside it. */
function breakReferences(text: string): string {
  if (!text.includes('&')) return text;
  const code = findCode(text);
  return text.replace(references, (found: string, ...rest: unknown[]) => {
    const { hex, decimal } = rest.at(-1) as { readonly hex?: string; readonly decimal?: string };
    const number = hex === undefined ? Number(decimal ?? 0) : Number.parseInt(hex, 16);
    const isPlain = number < 0x80 || (number <= 0x3000 && /\s/.test(String.fromCharCode(number)));
    return isPlain && !isWithin(code, rest.at(-3) as number) ? `${breaker}${found}${breaker}` : found;
  });
}

function breakMentions(text: string): string {
  if (!text.includes('@')) return text;
  const code = findCode(text);
  return text.replace(mentions, (found: string, ...rest: unknown[]) => {
    const groups = rest.at(-1) as { readonly address?: string };
    const at = rest.at(-3) as number;
    return groups.address !== undefined || isWithin(code, at) ? found : `${found}${breaker}`;
  });
}

function isBeforeClosed(text: string, start: number): boolean {
  let at = start;
  for (const gap of [...gaps, closed]) {
    gap.lastIndex = at;
    if (!gap.test(text)) return false;
    at = gap.lastIndex;
  }
  return true;
}

/** Ranges are in order. */
function isWithin(ranges: readonly TextRange[], at: number): boolean {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle]?.end ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return (ranges[low]?.start ?? Number.POSITIVE_INFINITY) <= at;
}
