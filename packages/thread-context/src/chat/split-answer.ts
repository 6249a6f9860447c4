import { findChatCode, findGraphemeCut } from '@agent/text';
import { checkOptions, type Expectation, expected, expectNumber } from '@agent/text/options';
import { unfinishedMarkChars } from './hidden-marks.ts';

/** Limits of a platform, in UTF-16 units. */
export interface SplitAnswerOptions {
  /** The longest message that it takes. */
  readonly maxChars: number;
  /** The longest part of several, so that there is room for the mark of the unfinished and for what an edit may add. */
  readonly maxPartChars: number;
  /** True: a single part leaves room for the mark of the unfinished, too. Default: false. */
  readonly hasRoomForMark?: boolean | undefined;
}

const expectations = {
  maxChars: expectNumber(1, { isWhole: true }),
  maxPartChars: expectNumber(1, { isWhole: true }),
  hasRoomForMark: expected.flag,
} as const satisfies Record<keyof SplitAnswerOptions, Expectation>;

const fenceEnd = '\n```';

/**
 * Splits an answer into messages that a chat takes: between paragraphs or list items if possible, else at lines, at spaces, or between two
 * characters. What a cut interrupts ends before it and begins again after it: a code block, a quote, and text that is bold, italic,
 * underlined, struck out or hidden. Nothing that people see is lost but the white space at the cuts.
 *
 * @example
 * splitAnswer('one two', { maxChars: 5, maxPartChars: 5 }); // ['one', 'two']
 *
 * @see decision D10
 */
export function splitAnswer(text: string, options: SplitAnswerOptions): readonly string[] {
  checkOptions('SplitAnswerOptions', options, expectations, ['maxChars', 'maxPartChars']);
  const { maxChars, maxPartChars, hasRoomForMark = false } = options;
  const maxFirst = hasRoomForMark ? maxChars - unfinishedMarkChars : maxChars;
  const parts: string[] = [];
  let rest = text.trim();
  let opening = '';
  while (rest !== '') {
    const whole = opening + rest;
    if (whole.length <= (parts.length === 0 ? maxFirst : maxPartChars)) {
      parts.push(whole);
      break;
    }
    const { cut, part, seam } = cutPart(rest, { opening, maxPartChars });
    parts.push(part + seam.closing);
    // Without room for text, no part would ever end.
    opening = seam.opening.length < maxPartChars / 2 ? seam.opening : '';
    rest = seam.isCode ? rest.slice(cut).replace(/^\n/, '') : rest.slice(cut).trimStart();
  }
  return parts.filter((part) => part.trim() !== '');
}

/** Ends what a part leaves open, and begins it again in the next one. */
interface Seam {
  readonly closing: string;
  readonly opening: string;
  readonly isCode: boolean;
}

interface CutPart {
  readonly cut: number;
  readonly part: string;
  readonly seam: Seam;
}

function cutPart(
  rest: string,
  { opening, maxPartChars }: { readonly opening: string; readonly maxPartChars: number },
): CutPart {
  for (let reserve = fenceEnd.length; ; ) {
    const cut = findPartEnd(rest, { opening, room: maxPartChars - opening.length - reserve });
    const part = opening + rest.slice(0, cut).trimEnd();
    const seam = findSeam(part, { rest: rest.slice(cut), isMidLine: !endsWithLine(rest.slice(0, cut + 1)) });
    if (part.length + seam.closing.length <= maxPartChars || reserve > maxPartChars / 2)
      return { cut, part, seam };
    reserve = seam.closing.length + 1;
  }
}

/** True if only white space follows the last line break. */
function endsWithLine(text: string): boolean {
  return text.slice(text.trimEnd().length).includes('\n');
}

function findPartEnd(
  rest: string,
  { opening, room }: { readonly opening: string; readonly room: number },
): number {
  const cut = findPlainCut(rest, { opening, room });
  const fence = findOpenFence(opening + rest.slice(0, cut));
  if (fence === null) return cut;
  // A block that would only just be opened begins in the next part.
  const start = fence.start - opening.length;
  const isEmpty = rest.slice(start + fence.opening.length, cut).trim() === '';
  return isEmpty && start > 0 ? start : cut;
}

/** Line ends that interrupt less come first. Only the last half of a part is searched for a good one. */
function findPlainCut(
  rest: string,
  { opening, room }: { readonly opening: string; readonly room: number },
): number {
  const lineEnds = [...rest.slice(0, room + 1).matchAll(/\n/g)].map(({ index }) => index).reverse();
  const late = lineEnds.filter((end) => end > room / 2);
  const good = late.find((end) => interruptsNothing(rest, { opening, end }));
  const lineEnd = good ?? lineEnds[0] ?? 0;
  if (lineEnd > room / 4) return lineEnd;
  const space = rest.lastIndexOf(' ', room);
  if (space > room / 4) return outsideLink(rest, space, room);
  const cut = findGraphemeCut(rest, room);
  // Three backticks in a row are one sign.
  const ticks = /`{1,2}$/.exec(rest.slice(0, cut));
  const apart = ticks !== null && rest[cut] === '`' ? cut - ticks[0].length : cut;
  return apart > 0 ? apart : room;
}

/** True at a line end that is in no code, and whose next line stands alone: chats drop the indentation at the start of a message. */
function interruptsNothing(
  rest: string,
  { opening, end }: { readonly opening: string; readonly end: number },
): boolean {
  const before = opening + rest.slice(0, end);
  if (findOpenFence(before) !== null) return false;
  const next = /[^\n]*/.exec(rest.slice(end + 1))?.[0] ?? '';
  return !/^\s+\S/.test(next) && findOpenMarks(lastParagraph(before), rest.slice(end)).length === 0;
}

/** The last space before a link that a cut at `space` would fall into. */
function outsideLink(rest: string, space: number, room: number): number {
  const link = /\[[^[\]\n]*$/.exec(rest.slice(0, space));
  const isLink = link !== null && /^[^[\]\n]*\]\(/.test(rest.slice(space));
  return isLink && link.index > room / 4 ? link.index : space;
}

function findSeam(
  part: string,
  { rest, isMidLine }: { readonly rest: string; readonly isMidLine: boolean },
): Seam {
  const fence = findOpenFence(part);
  if (fence !== null) return { closing: fenceEnd, opening: `${fence.opening}\n`, isCode: true };
  const marks = findOpenMarks(lastParagraph(part), rest);
  const line = part.slice(part.lastIndexOf('\n') + 1);
  const isQuotedOn = /(?:^|\n)>>> /.test(part);
  const quote = isQuotedOn ? '>>> ' : isMidLine && /^> /.test(line) ? '> ' : '';
  const closing = [...marks].reverse().join('');
  return { closing, opening: quote + marks.join(''), isCode: false };
}

function lastParagraph(text: string): string {
  const code = findChatCode(text).filter(({ ticks }) => ticks >= 3);
  const start = Math.max(code.at(-1)?.end ?? 0, text.lastIndexOf('\n\n') + 1);
  return text.slice(start);
}

/** Lists the marks that a paragraph opens before a cut and closes after it, the outer first. A mark that nothing closes is text. */
function findOpenMarks(before: string, after: string): readonly string[] {
  const end = after.search(/\n\s*\n|```/);
  const rest = end === -1 ? after : after.slice(0, end);
  const open: string[] = [];
  for (const { 0: mark, index } of before.matchAll(/\\[\s\S]|\*\*|__|~~|\|\||[`*_]/g)) {
    if (mark.startsWith('\\')) continue;
    if (open.includes('`') && mark !== '`') continue;
    const [previous = ' ', next = ' '] = [before[index - 1], before[index + mark.length]];
    const place = open.lastIndexOf(mark);
    if (place !== -1) {
      if (mark === '`' || !/\s/.test(previous)) open.splice(place);
    } else if (/\s/.test(next) && mark !== '`') {
      // A list item, or an operator.
    } else if (!/[_*]/.test(mark) || !/[\p{L}\p{N}]/u.test(previous)) open.push(mark);
  }
  return open.filter((mark) => rest.includes(mark));
}

/** A code block that a text opens and does not close. */
interface Fence {
  readonly start: number;
  /** The backticks with the language behind them. */
  readonly opening: string;
}

/**
 * Discord opens and closes a block at every three backticks, wherever they stand. The word behind the opening ones
 * is the language if the line ends there.
 */
export function findOpenFence(text: string): Fence | null {
  let open: Fence | null = null;
  for (const { 0: opening, index } of text.matchAll(/```(?:[\w+#.-]{1,40}(?=\n|$))?/g)) {
    open = open === null ? { start: index, opening } : null;
  }
  return open;
}
