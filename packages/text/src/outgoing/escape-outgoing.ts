import { removeEnvelopeLines } from '../wrap-untrusted-text.ts';

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

/**
 * Keeps a text from doing anything but being read: it notifies nobody, closes nothing, skips no pipeline, tells no code of
 * an envelope, and shows its letters in their order. Code stays as it is where every reader takes it for code; words that close are broken there as well.
 *
 * @example
 * escapeOutgoingText('@octocat, this fixes #1'); // '@\u200boctocat, this f\u200bixes #1'
 */
export function escapeOutgoingText(text: string): string {
  const visible = removeEnvelopeLines(toVisible(text));
  return breakMentions(breakReferences(visible))
    .replace(closing, (word, at: number, whole: string) =>
      isBeforeClosed(whole, at + word.length) ? `${word.slice(0, 1)}${breaker}${word.slice(1)}` : word,
    )
    .replace(skipping, (found) => `${found}${breaker}`);
}

/**
 * One line, for titles and subjects.
 *
 * @example
 * escapeOutgoingLine('Ask\n@octocat'); // 'Ask @\u200boctocat'
 */
export function escapeOutgoingLine(text: string): string {
  return escapeOutgoingText(text.replace(/\s+/g, ' ').trim());
}

/** Removes the characters that reorder letters, act on terminals or carry hidden text. */
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

/** A part of a text, in UTF-16 code units; the end is exclusive. */
interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Begins a block in which Markdown stands still until a mark of its own, not at the next empty line. */
const longHtml = /^ {0,3}<(?:!|\?|script|pre|style|textarea)/im;

/** A line that may open or close a fenced block somewhere: in a list, in a quotation, behind spaces. */
const maybeFence = /^[\s>*+.)\d-]*(?:`{3}|~{3})/;

/**
 * Finds what every reader of Markdown takes for code, in order: fenced blocks at the left margin and spans within one
 * line. Where HTML, a table, an escaped or a lonely backtick could make two readers differ, nothing is found up to the
 * next empty line, and nothing more behind a fence that one of them could miss: taking text for code is the mistake that
 * must not happen.
 *
 * @see https://spec.commonmark.org/0.31.2/#fenced-code-blocks, #code-spans
 */
export function findCode(text: string): readonly TextRange[] {
  if (longHtml.test(text)) return [];
  const found: TextRange[] = [];
  let fence: { readonly mark: string; readonly start: number } | null = null;
  let isSure = true;
  let at = 0;
  for (const line of text.split('\n')) {
    const opening: RegExpExecArray | null =
      fence === null && isSure ? /^(`{3,})[^`]*$|^(~{3,})/.exec(line) : null;
    if (fence !== null) {
      if (closes(line, fence.mark)) {
        found.push({ start: fence.start, end: at + line.length });
        fence = null;
        isSure = true;
      }
    } else if (opening !== null) {
      fence = { mark: opening[1] ?? opening[2] ?? '', start: at };
    } else if (maybeFence.test(line)) {
      return found;
    } else if (line.trim() === '') {
      isSure = true;
    } else if (isSure) {
      isSure = !/[<|]|\\`/.test(line) && findSpans(line, { at, found });
    }
    at += line.length + 1;
  }
  if (fence !== null) found.push({ start: fence.start, end: text.length });
  return found;
}

function closes(line: string, mark: string): boolean {
  return /^ {0,3}(?:`{3,}|~{3,})[ \t]*$/.test(line) && line.trimStart().startsWith(mark);
}

/** Adds the spans of a line; false when one is left open. */
function findSpans(
  line: string,
  { at, found }: { readonly at: number; readonly found: TextRange[] },
): boolean {
  let open: { readonly length: number; readonly start: number } | null = null;
  for (const { 0: run, index } of line.matchAll(/`+/g)) {
    if (open === null) open = { length: run.length, start: at + index };
    else if (open.length === run.length) {
      found.push({ start: open.start, end: at + index + run.length });
      open = null;
    }
  }
  return open === null;
}

/**
 * A name that somebody else chose, as code on one line of Markdown that it cannot leave: with anything but letters, digits
 * and the signs of usual paths it is written as a JSON string.
 *
 * @example
 * toCodeSpan('src/total.ts'); // '`src/total.ts`'
 */
export function toCodeSpan(name: string): string {
  const shown = /^[\p{L}\p{M}\p{N}_./@+#=,-]+(?: [\p{L}\p{M}\p{N}_./@+#=,-]+)*$/u.test(name)
    ? name
    : toJson(name);
  const longest = Math.max(0, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${shown}${fence}`;
}

/** Writes a name as a JSON string in which everything is escaped that is not seen, or changes what is seen. */
function toJson(name: string): string {
  return JSON.stringify(name).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (sign) =>
    Array.from(
      { length: sign.length },
      (_, at) => `\\u${sign.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}
